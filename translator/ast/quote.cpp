#include "ast/quote.hpp"

#include "ast/print.hpp"

#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace hpcc::ast {
namespace {

class Instantiation {
public:
    Instantiation(Arena& arena, const Bindings& bindings, NodePtr origin)
        : arena_(arena), bindings_(bindings), origin_(origin) {}

    NodePtr instantiate(NodePtr schema) {
        if (!schema) return nullptr;
        if (const Binding* binding = bindingFor(schema)) {
            assert(!binding->isList && "a list is bound where one node is needed");
            return binding->nodes.front();
        }
        std::vector<NodePtr> children;
        for (NodePtr child : schema->children()) append(child, arityOf(schema->kind()), children);
        return arena_.rebuilt(schema, origin_, children);
    }

private:
    void append(NodePtr child, Arity parent, std::vector<NodePtr>& children) {
        const Binding* binding = parent == Arity::List ? listFor(child) : nullptr;
        if (binding)
            children.insert(children.end(), binding->nodes.begin(), binding->nodes.end());
        else
            children.push_back(instantiate(child));
    }

    // The name of the placeholder that `schema` consists of; "" if it is no placeholder.
    static std::string_view placeholder(NodePtr schema) {
        if (!schema || !schema->text().starts_with('$')) return {};
        std::string_view name = schema->text();
        if (isStatement(schema) && name.ends_with(';')) name.remove_suffix(1);
        return name;
    }

    const Binding* lookUp(std::string_view name) const {
        for (const auto& [placeholder, binding] : bindings_)
            if (placeholder == name) return &binding;
        return nullptr;
    }

    // The list to splice where `schema` stands, whatever its kind: argument, type, parameter,
    // statement.
    const Binding* listFor(NodePtr schema) const {
        const Binding* binding = lookUp(placeholder(schema));
        if (!binding || !binding->isList) return nullptr;
        return !isStatement(schema) || fits(schema, *binding) ? binding : nullptr;
    }

    // The binding whose node replaces `schema`, if `schema` is a placeholder and nothing else, of
    // fitting category.
    const Binding* bindingFor(NodePtr schema) const {
        const std::string_view name = placeholder(schema);
        if (name.empty()) return nullptr;
        if (const Binding* binding = lookUp(name))
            return fits(schema, *binding) ? binding : nullptr;
        if (schema->is<Identifier>()) unbound(name);
        return nullptr;
    }

    // `$body;` takes a statement whole; an expression goes into the ExpressionStatement.
    static bool fits(NodePtr schema, const Binding& binding) {
        if (schema->is<Identifier>() || binding.nodes.empty()) return true;
        const NodePtr bound = binding.nodes.front();
        if (isStatement(schema)) return isStatement(bound);
        if (schema->is<Specifiers>()) return bound->is<Specifiers>() || bound->is<MultiarrayType>();
        return schema->kind() == bound->kind();
    }

    [[noreturn]] static void unbound(std::string_view name) {
        std::fprintf(stderr, "hpcc: internal error: unbound placeholder %.*s in a schema\n",
                     static_cast<int>(name.size()), name.data());
        std::abort();
    }

    Arena& arena_;
    const Bindings& bindings_;
    NodePtr origin_;
};

}  // namespace

NodePtr Quoter::parsed(SchemaPart part, std::string_view schema) {
    std::string key = std::to_string(static_cast<int>(part)) + std::string(schema);
    const auto known = cache_.find(key);
    if (known != cache_.end()) return known->second;
    const NodePtr tree = parse_(schemata_, schemata_.text(std::string(schema)), part);
    cache_.emplace(std::move(key), tree);
    return tree;
}

NodePtr Quoter::quoted(SchemaPart part, Arena& arena, std::string_view schema,
                       const Bindings& bindings, NodePtr origin) {
    return Instantiation(arena, bindings, origin).instantiate(parsed(part, schema));
}

NodePtr Quoter::statement(Arena& arena, std::string_view schema, const Bindings& bindings,
                          NodePtr origin) {
    return quoted(SchemaPart::Statement, arena, schema, bindings, origin);
}

NodePtr Quoter::expression(Arena& arena, std::string_view schema, const Bindings& bindings,
                           NodePtr origin) {
    return quoted(SchemaPart::Expression, arena, schema, bindings, origin);
}

NodePtr Quoter::declaration(Arena& arena, std::string_view schema, const Bindings& bindings,
                            NodePtr origin) {
    return quoted(SchemaPart::Declaration, arena, schema, bindings, origin);
}

NodePtr Quoter::type(Arena& arena, std::string_view schema, const Bindings& bindings,
                     NodePtr origin) {
    return quoted(SchemaPart::Type, arena, schema, bindings, origin);
}

}  // namespace hpcc::ast
