// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/quote.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace hpcc::ast {

// A node of a schema, ready to be instantiated.
struct Quoter::Part {
    NodePtr node = nullptr;
    std::string_view placeholder;  // that the node consists of; "" if it is none
    bool isVariable = false;       // it is a placeholder or a statement, or holds one
    std::vector<Part> parts;       // of the children; empty if it is not variable
};

namespace {

// The name of the placeholder that `schema` consists of; "" if it is no placeholder.
std::string_view placeholderOf(NodePtr schema) {
    if (!schema->text().starts_with('$')) return {};
    std::string_view name = schema->text();
    if (isStatement(schema) && name.ends_with(';')) name.remove_suffix(1);
    return name;
}

}  // namespace

class Quoter::Instantiation {
public:
    Instantiation(Arena& arena, const Bindings& bindings, NodePtr origin,
                  std::vector<NodePtr>& nodes)
        : arena_(arena), bindings_(bindings), origin_(origin), nodes_(nodes) {}

    NodePtr instantiate(const Part& part) {
        if (const Binding* binding = bindingFor(part)) {
            assert(!binding->isList && "a list is bound where one node is needed");
            return binding->node;
        }
        const std::size_t first = nodes_.size();
        if (part.isVariable)
            for (const Part& child : part.parts) append(child, arityOf(part.node->kind()));
        else
            nodes_.insert(nodes_.end(), part.node->children().begin(), part.node->children().end());
        const NodePtr result = arena_.rebuilt(part.node, origin_, std::span(nodes_).subspan(first));
        nodes_.resize(first);
        return result;
    }

private:
    void append(const Part& child, Arity parent) {
        const Binding* binding = parent == Arity::List ? listFor(child) : nullptr;
        if (binding)
            nodes_.insert(nodes_.end(), binding->list.begin(), binding->list.end());
        else
            nodes_.push_back(child.isVariable ? instantiate(child) : child.node);
    }

    const Binding* lookUp(std::string_view name) const {
        for (const auto& [placeholder, binding] : bindings_)
            if (placeholder == name) return &binding;
        return nullptr;
    }

    // The list to splice where `part` stands, whatever its kind: argument, type, parameter,
    // statement.
    const Binding* listFor(const Part& part) const {
        if (part.placeholder.empty()) return nullptr;
        const Binding* binding = lookUp(part.placeholder);
        if (!binding || !binding->isList) return nullptr;
        return !isStatement(part.node) || fits(part.node, *binding) ? binding : nullptr;
    }

    // The binding whose node replaces `part`, if that is a placeholder and nothing else, of fitting
    // category.
    const Binding* bindingFor(const Part& part) const {
        if (part.placeholder.empty()) return nullptr;
        if (const Binding* binding = lookUp(part.placeholder))
            return fits(part.node, *binding) ? binding : nullptr;
        if (part.node->is<Identifier>()) unbound(part.placeholder);
        return nullptr;
    }

    // `$body;` takes a statement whole; an expression goes into the ExpressionStatement.
    static bool fits(NodePtr schema, const Binding& binding) {
        const NodePtr bound = binding.first();
        if (schema->is<Identifier>() || !bound) return true;
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
    std::vector<NodePtr>& nodes_;  // children of the nodes under construction
};

Quoter::Part Quoter::prepared(NodePtr node) {
    Part part{node, placeholderOf(node), false, {}};
    for (const NodePtr child : node->children())
        part.parts.push_back(child ? prepared(child) : Part{});
    // Passes know statements by their nodes, so that each instance has its own.
    part.isVariable = !part.placeholder.empty() || isStatement(node) ||
                      std::ranges::any_of(part.parts, [](const Part& p) { return p.isVariable; });
    if (!part.isVariable) part.parts.clear();
    return part;
}

const Quoter::Part& Quoter::prepared(SchemaPart kind, std::string_view schema) {
    auto& known = schemata_[static_cast<std::size_t>(kind)];
    const auto found = known.find(schema);
    if (found != known.end()) return *found->second;
    const source::Text& text = arena_.text(std::string(schema));
    auto part = std::make_unique<Part>(prepared(parse_(arena_, text, kind)));
    return *known.emplace(text.content(), std::move(part)).first->second;
}

Quoter::Quoter(ParseSchema parse) : parse_(std::move(parse)) {}
Quoter::~Quoter() = default;

NodePtr Quoter::quoted(SchemaPart kind, Arena& arena, std::string_view schema,
                       const Bindings& bindings, NodePtr origin) {
    return Instantiation(arena, bindings, origin, nodes_).instantiate(prepared(kind, schema));
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
