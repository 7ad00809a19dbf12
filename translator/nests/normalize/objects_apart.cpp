// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/objects_apart.hpp"

#include <algorithm>
#include <map>

#include "analysis/operators.hpp"
#include "analysis/plain_fields.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "nests/normalize/in_place_of.hpp"
#include "nests/normalize/repeatable.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using ast::Symbol;

/// An object, or an array of objects, and the variables in its place, one for each member.
struct Object {
    const ast::Type* type = nullptr;  // of the object, or of an element
    bool isTable = false;
    std::vector<const Symbol*> fields;
    std::vector<NodePtr> parts;
};
using Objects = std::map<const Symbol*, Object>;

/// o of `static_cast<Pair>(o)`, where it is a Pair.
NodePtr withoutCopy(NodePtr value) {
    if (!ast::isAny<ast::NamedCast, ast::FunctionalCast>(ast::withoutParentheses(value)))
        return value;
    value = ast::withoutParentheses(value);
    const NodePtr operand = ast::withoutParentheses(analysis::castOperand(value));
    const bool isSame = operand && operand->type && value->type && operand->type->classSymbol &&
                        operand->type->classSymbol == value->type->classSymbol;
    return isSame ? withoutCopy(operand) : value;
}

NodePtr valueIn(NodePtr initializer) {
    return withoutCopy(ast::is<ast::EqualInitializer>(initializer)
                           ? initializer->child(ast::EqualInitializer::value)
                           : initializer);
}
NodePtr listOf(NodePtr initializer) {
    const NodePtr value = valueIn(initializer);
    return ast::is<ast::BracedInitializer>(value) ? value : nullptr;
}

class Apart : public ast::Rewriter {
public:
    Apart(Context& context, const Surroundings& surroundings, NamesMade& names)
        : Rewriter(context.arena, 0),
          context_(context),
          surroundings_(surroundings),
          names_(names) {}

    NodePtr of(NodePtr nest) {
        const bool isKnown = !ast::anywhere(
            nest, ast::isAny<ast::OpaqueStatement, ast::OpaqueExpression, ast::OpaqueDeclaration,
                             ast::MacroStatement, ast::DecltypeType>);
        for (const NodePtr each : ast::allOf<ast::Compound>(nest))
            for (const NodePtr statement : each->children())
                if (ast::is<ast::Declaration>(statement)) add(statement);
        if (objects_.empty() || !isKnown) return nest;
        for (size_t before = 0; before != objects_.size();) {
            before = objects_.size();
            leaveOut(nest);
        }
        if (objects_.empty()) return nest;
        for (auto& [symbol, object] : objects_)
            for (const Symbol* field : object.fields)
                object.parts.push_back(part(*symbol, *field, object, nest));
        return rewrite(nest);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        std::vector<NodePtr> statements;
        bool isChanged = false;
        for (const NodePtr each : block->children()) {
            const auto declared = declaredBy(each);
            for (const NodePtr declarator : declared) declare(each, declarator, statements);
            if (declared.empty()) statements.push_back(rewrite(each));
            isChanged |= statements.back() != each;
        }
        return isChanged ? context_.arena.rebuilt(block, block, statements) : block;
    }
    NodePtr rewriteMember(NodePtr node) override {
        const Object* const object = objectAt(node->child(ast::Member::base));
        if (!object) return rewriteChildren(node);
        const Symbol* const field = node->child(ast::Member::name)->symbol;
        const auto at = std::ranges::find(object->fields, field) - object->fields.begin();
        return partAt(node->child(ast::Member::base), *object, static_cast<size_t>(at));
    }
    NodePtr rewriteExpressionStatement(NodePtr statement) override {
        const NodePtr e = statement->child(0);
        const Object* const object =
            ast::is<ast::Assign>(e) ? objectAt(e->child(ast::Assign::target)) : nullptr;
        if (!object) return rewriteChildren(statement);
        const NodePtr value = withoutCopy(e->child(ast::Assign::value));
        const NodePtr list = listOf(value);
        const Object* const other = list ? nullptr : objectAt(value);
        std::vector<NodePtr> made, assigned;
        for (size_t k = 0; k < object->fields.size(); ++k) {
            NodePtr from = other ? partAt(value, *other, k) : nullptr;
            if (list) {
                const ast::Type* const type = object->fields[k]->type;
                from = variable(object->fields[k]->name + "_next", type, e);
                made.push_back(context_.statement(
                    "const " + type->spelled + " $v = $e;",
                    {{"$v", ast::copy(context_.arena, from)}, {"$e", valueOf(list, *object, k)}},
                    e));
            }
            assigned.push_back(context_.statement(
                "$p = $v;",
                {{"$p", partAt(e->child(ast::Assign::target), *object, k)}, {"$v", from}}, e));
        }
        made.insert(made.end(), assigned.begin(), assigned.end());
        return context_.statement("{\n    $s;\n}", {{"$s", made}}, statement);
    }

private:
    void add(NodePtr declaration) {
        const NodePtr all = declaration->child(ast::Declaration::declarators),
                      specifiers = declaration->child(ast::Declaration::specifiers);
        if (!all || !ast::is<ast::Specifiers>(specifiers) ||
            ast::isSpecifiedAsOneOf(specifiers,
                                    {"static", "thread_local", "constexpr", "volatile"}))
            return;
        for (const NodePtr each : all->children()) {
            const NodePtr declared = each->child(ast::InitDeclarator::declarator),
                          name = analysis::variableOf(declared);
            const ast::Type* type = name && name->symbol ? name->symbol->type : nullptr;
            Object object;
            object.isTable = type && (type->kind == ast::TypeKind::CArray ||
                                      (ast::isStandardArray(type) && !type->arguments.empty()));
            object.type = !object.isTable ? type
                          : type->element ? type->element
                                          : type->arguments.front();
            object.fields = analysis::plainFieldsOf(object.type);
            const bool hasValues = std::ranges::any_of(
                object.fields, [](const Symbol* field) { return field->initializer != nullptr; });
            const bool isWhole = ast::is<ast::Identifier>(declared) || object.isTable;
            if (!object.fields.empty() && isWhole && !(object.isTable && hasValues) &&
                !surroundings_.macros().mention(name->text()))
                objects_.emplace(name->symbol, object);
        }
    }

    /// The declarators of objects in a declaration of nothing else.
    std::vector<NodePtr> declaredBy(NodePtr statement) const {
        const NodePtr all = ast::is<ast::Declaration>(statement)
                                ? statement->child(ast::Declaration::declarators)
                                : nullptr;
        if (!all) return {};
        std::vector<NodePtr> result(all->children().begin(), all->children().end());
        const bool areObjects =
            std::ranges::all_of(result, [this](NodePtr each) { return symbolOf(each) != nullptr; });
        if (!areObjects) result.clear();
        return result;
    }
    const Symbol* symbolOf(NodePtr declarator) const {
        const NodePtr name =
            analysis::variableOf(declarator->child(ast::InitDeclarator::declarator));
        return name && objects_.contains(name->symbol) ? name->symbol : nullptr;
    }

    /// What `o`, or `o[k]` of an array, is an object of.
    const Object* objectAt(NodePtr place) const {
        const bool isElement = ast::is<ast::Subscript>(place);
        const NodePtr name = isElement ? place->child(ast::Subscript::base) : place;
        const auto found =
            ast::is<ast::Identifier>(name) ? objects_.find(name->symbol) : objects_.end();
        const bool isOne =
            found != objects_.end() && found->second.isTable == isElement &&
            (!isElement || place->child(ast::Subscript::subscripts)->children().size() == 1);
        return isOne ? &found->second : nullptr;
    }

    /// Objects of which something else is asked.
    void leaveOut(NodePtr node) {
        if (!node) return;
        if (ast::is<ast::Identifier>(node)) {
            objects_.erase(node->symbol);
            return;
        }
        if (ast::is<ast::Declaration>(node) && !declaredBy(node).empty()) {
            for (const NodePtr each : declaredBy(node)) {
                const auto found = objects_.find(symbolOf(each));
                const NodePtr initializer = each->child(ast::InitDeclarator::initializer);
                const NodePtr value = valueIn(initializer);
                if (found != objects_.end() && !mayStartWith(initializer, found->second))
                    objects_.erase(found);
                leaveOutOf(value);
            }
            return;
        }
        if (ast::is<ast::Member>(node) && objectAt(node->child(ast::Member::base))) {
            const NodePtr base = node->child(ast::Member::base);
            const auto& fields = objectAt(base)->fields;
            if (std::ranges::find(fields, node->child(ast::Member::name)->symbol) != fields.end())
                return leaveOutIn(base);
        }
        const NodePtr e = ast::is<ast::ExpressionStatement>(node) ? node->child(0) : nullptr;
        const Object* const target =
            ast::is<ast::Assign>(e) && e->child(ast::Assign::op)->text() == "="
                ? objectAt(e->child(ast::Assign::target))
                : nullptr;
        const NodePtr value = target ? withoutCopy(e->child(ast::Assign::value)) : nullptr;
        if (target && mayBecome(value, *target) && isFixed(e->child(ast::Assign::target))) {
            leaveOutIn(e->child(ast::Assign::target));
            return leaveOutOf(value);
        }
        for (const NodePtr child : node->children()) leaveOut(child);
    }
    void leaveOutOf(NodePtr value) { return objectAt(value) ? leaveOutIn(value) : leaveOut(value); }
    void leaveOutIn(NodePtr place) {
        if (ast::is<ast::Subscript>(place)) leaveOut(place->child(ast::Subscript::subscripts));
    }

    /// True if it may be named again.
    static bool isFixed(NodePtr place) {
        return !ast::is<ast::Subscript>(place) ||
               isRepeatable(place->child(ast::Subscript::subscripts)->child(0));
    }

    /// `{a, b}`, or another one of them.
    bool mayBecome(NodePtr value, const Object& object) const {
        if (const NodePtr list = listOf(value))
            return list->children().size() <= object.fields.size() &&
                   std::ranges::all_of(list->children(),
                                       [](NodePtr each) { return ast::isNumber(each->type); });
        const Object* const other = objectAt(value);
        return other && other->type->classSymbol == object.type->classSymbol && isFixed(value);
    }
    bool mayStartWith(NodePtr initializer, const Object& object) const {
        const NodePtr list = listOf(initializer);
        if (!initializer || (list && list->children().empty())) return true;
        return !object.isTable && mayBecome(valueIn(initializer), object);
    }

    NodePtr valueOf(NodePtr list, const Object& object, size_t k) {
        if (k < list->children().size()) return rewrite(list->children()[k]);
        const NodePtr own = analysis::initialValueOf(*object.fields[k]);
        return own ? ast::copy(context_.arena, own) : context_.number(0, list);
    }

    /// By a name that later passes do not give out again.
    NodePtr variable(const std::string& wanted, const ast::Type* type, NodePtr origin) {
        const NodePtr made =
            context_.variable(context_.names.next(wanted, names_.counts), type, origin);
        names_.all.insert(made->text());
        return made;
    }

    NodePtr part(const Symbol& symbol, const Symbol& field, const Object& object, NodePtr nest) {
        const ast::Type* type = field.type;
        if (object.isTable) {
            ast::Type table = *symbol.type;
            if (table.element)
                table.element = type;
            else
                table.arguments.front() = type;
            type = context_.arena.makeType(table);
        }
        const NodePtr made = variable(symbol.name + "_" + field.name, type, nest);
        made->symbol->isReassigned = symbol.isReassigned || object.isTable;
        return made;
    }

    NodePtr partAt(NodePtr place, const Object& object, size_t k) {
        const NodePtr name = ast::copy(context_.arena, object.parts[k]);
        if (!object.isTable) return name;
        const NodePtr list = place->child(ast::Subscript::subscripts);
        const NodePtr made = context_.expression(
            "$c[$k]", {{"$c", name}, {"$k", rewrite(ast::copy(context_.arena, list->child(0)))}},
            place);
        made->type = object.fields[k]->type;
        return made;
    }

    void declare(NodePtr declaration, NodePtr declarator, std::vector<NodePtr>& made) {
        const NodePtr declared = declarator->child(ast::InitDeclarator::declarator),
                      initializer = declarator->child(ast::InitDeclarator::initializer),
                      name = analysis::variableOf(declared);
        const Object& object = objects_.at(name->symbol);
        const NodePtr specifiers = declaration->child(ast::Declaration::specifiers);
        for (size_t k = 0; k < object.fields.size(); ++k) {
            const std::string word = object.fields[k]->type->spelled;
            const NodePtr variable = ast::copy(context_.arena, object.parts[k]);
            if (object.isTable) {
                made.push_back(context_.statement(
                    "[[maybe_unused]] " + wordsOf(specifiers, word) + " $d" +
                        (initializer ? "{};" : ";"),
                    {{"$d", InPlaceOf(context_.arena, name, [&](NodePtr) { return variable; })
                                .rewrite(ast::copy(context_.arena, declared))}},
                    declarator));
                continue;
            }
            const NodePtr own = analysis::initialValueOf(*object.fields[k]),
                          list = listOf(initializer);
            const NodePtr from = list          ? valueOf(list, object, k)
                                 : initializer ? partOfOther(initializer, k)
                                 : own         ? ast::copy(context_.arena, own)
                                               : nullptr;
            const std::string before =  // members need no use
                object.type->isConst ? "[[maybe_unused]] const " : "[[maybe_unused]] ";
            made.push_back(context_.statement(before + word + (from ? " $v = $e;" : " $v;"),
                                              {{"$v", variable}, {"$e", from}}, declarator));
        }
    }
    NodePtr partOfOther(NodePtr initializer, size_t k) {
        const NodePtr value = valueIn(initializer);
        return partAt(value, *objectAt(value), k);
    }

    /// `std::array<double, n>` for `std::array<Pair, n>`, `double` for `Pair`.
    static std::string wordsOf(NodePtr specifiers, const std::string& word) {
        const auto arguments = ast::allOf<ast::TemplateArguments>(specifiers);
        return arguments.empty()
                   ? word
                   : "std::array<" + word + ", " + ast::print(arguments[0]->child(1)) + ">";
    }

    Context& context_;
    const Surroundings& surroundings_;
    NamesMade& names_;
    Objects objects_;
};

}  // namespace

NodePtr withObjectsApart(Context& context, const Surroundings& surroundings, NamesMade names,
                         NodePtr nest) {
    return Apart(context, surroundings, names).of(nest);
}

}  // namespace hpcc::nests
