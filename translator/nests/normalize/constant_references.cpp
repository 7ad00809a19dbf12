// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/constant_references.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "analysis/written_parts.hpp"
#include "ast/copy.hpp"
#include "ast/declarators.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "nests/normalize/in_place_of.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// `const Rule &rule = rules[k]`
struct ConstantReference {
    NodePtr name = nullptr;  // of a structured binding: all of it
    NodePtr element = nullptr;
    std::string words;  // `const Rule`
};

/// A number, or an object of a few numbers, which is cheap to copy and has no `mutable` ones.
bool isCheapValue(const ast::Type* type) {
    constexpr size_t most = 32;
    if (ast::isNumber(type)) return true;
    if (!ast::isObject(type) || !analysis::isPlainValue(type)) return false;
    const auto fields = analysis::fieldsOf(type);
    return !fields.empty() && fields.size() <= most &&
           type->classSymbol->declaration->text().find("mutable") == std::string_view::npos &&
           std::ranges::all_of(fields, [](const ast::Symbol* each) {
               return ast::isNumber(each->type) && !each->type->isReference;
           });
}

/// True of a part of an object that is constant itself, and so never changes.
bool isPartOfConstant(NodePtr e) {
    const NodePtr table = ast::is<ast::Subscript>(e) ? analysis::tableOf(e) : nullptr;
    const ast::Type* type = table ? table->symbol->type : nullptr;
    while (type && !type->isConst && type->kind == ast::TypeKind::CArray) type = type->element;
    return type && type->isConst;
}

/// Nothing of other statements, and of references to what may change.
ConstantReference constantReferenceOf(NodePtr statement) {
    if (!ast::is<ast::Declaration>(statement)) return {};
    const auto declarators = ast::declaratorsOf(statement);
    const NodePtr specifiers = statement->child(ast::Declaration::specifiers);
    if (declarators.size() != 1 || !ast::is<ast::Specifiers>(specifiers)) return {};
    const NodePtr before = specifiers->child(ast::Specifiers::before);
    if (before && before->text() != "const") return {};
    const NodePtr declarator = declarators[0]->child(ast::InitDeclarator::declarator);
    if (!ast::is<ast::PointerDeclarator>(declarator)) return {};
    const auto operators = declarator->child(ast::PointerDeclarator::operators)->children();
    if (operators.size() != 1 || !ast::is<ast::Reference>(operators[0])) return {};
    const NodePtr name = declarator->child(ast::PointerDeclarator::declarator);
    const NodePtr element =
        analysis::singleInitializer(declarators[0]->child(ast::InitDeclarator::initializer));
    if (!element || !isPartOfConstant(element)) return {};
    const ast::Type* const number =
        ast::is<ast::StructuredBinding>(name) ? analysis::plainElementOf(element->type) : nullptr;
    if (!isCheapValue(number ? number : element->type)) return {};
    const bool isDeduced = specifiers->child(ast::Specifiers::core)->text() == "auto";
    const ast::Type* const own = name->symbol ? name->symbol->type : nullptr;
    const bool isOfOne = isDeduced || (own && own->kind == element->type->kind &&
                                       own->classSymbol == element->type->classSymbol &&
                                       (own->classSymbol || own->number == element->type->number));
    const bool isKnown = ast::is<ast::StructuredBinding>(name) ||
                         (ast::is<ast::Identifier>(name) && name->symbol && isOfOne);
    if (!isKnown) return {};
    const std::string words = ast::print(specifiers);
    const bool isConst = ast::isSpecifiedAs(specifiers, "const");
    return {name, element, isConst ? words : "const " + words};
}

/// True if all that is done with the variable is to compute from its value: no address is asked
/// for, by which it could be told from a copy.
bool onlyComputesFrom(NodePtr node, const ast::Symbol* variable) {
    if (!node) return true;
    if (givesAnotherName(node, variable)) return false;
    const auto isIt = [&](NodePtr e) {
        return ast::is<ast::Identifier>(e) && e->symbol == variable;
    };
    const auto computes = [&](NodePtr each) { return onlyComputesFrom(each, variable); };
    if (isIt(node)) return ast::isNumber(node->type);
    if (ast::isAny<ast::Lambda, ast::DecltypeType, ast::Sizeof, ast::OpaqueStatement,
                   ast::OpaqueExpression, ast::OpaqueDeclaration>(node))
        return !ast::anywhere(node, isIt);
    if (ast::is<ast::Member>(node) && isIt(node->child(ast::Member::base)))
        return ast::isNumber(node->type);
    if (ast::is<ast::Call>(node) && analysis::isHarmlessCall(node) && ast::isNumber(node->type)) {
        const NodePtr callee = node->child(ast::Call::callee);
        const bool isOfIt = isIt(callee) || (ast::is<ast::Member>(callee) &&
                                             isIt(callee->child(ast::Member::base)));
        return (isOfIt || computes(callee)) &&
               std::ranges::all_of(
                   node->child(ast::Call::arguments)->children(),
                   [&](NodePtr argument) { return isIt(argument) || computes(argument); });
    }
    return std::ranges::all_of(node->children(), computes);
}

/// The names that a declaration gives what it refers to.
std::span<const NodePtr> namesOf(const ConstantReference& reference) {
    const bool areMany = ast::is<ast::StructuredBinding>(reference.name);
    return areMany ? reference.name->children() : std::span(&reference.name, 1);
}

}  // namespace

NodePtr withCopiesOfConstants(Context& context, const Surroundings& surroundings,
                              ast::FreshNames::Counts& counts, NodePtr block) {
    std::vector<NodePtr> statements(block->children().begin(), block->children().end());
    bool isChanged = false;
    for (size_t k = 0; k < statements.size(); ++k) {
        const ConstantReference reference = constantReferenceOf(statements[k]);
        const auto behind = std::span(statements).subspan(k + 1);
        const auto mayBeCopy = [&](NodePtr name) {
            return name->symbol && !surroundings.macros().mention(name->text()) &&
                   std::ranges::all_of(behind, [&](NodePtr statement) {
                       return onlyComputesFrom(statement, name->symbol);
                   });
        };
        if (!reference.name || !std::ranges::all_of(namesOf(reference), mayBeCopy)) continue;
        NodePtr declared = reference.name;
        if (ast::is<ast::Identifier>(reference.name)) {
            ast::Type type = *reference.element->type;
            type.isConst = true;
            declared = context.variable(
                context.names.next(std::string(reference.name->text()) + "_value", counts),
                context.arena.makeType(type), statements[k]);
            InPlaceOf copies(context.arena, reference.name, [&](NodePtr place) {
                const NodePtr made = ast::copy(context.arena, declared);
                if (place->type && place->type->called) made->type = place->type;  // `rule(x)`
                return made;
            });
            for (NodePtr& statement : behind) statement = copies.rewrite(statement);
        }
        statements[k] =
            context.statement(reference.words + " $v = $e;",
                              {{"$v", declared}, {"$e", reference.element}}, statements[k]);
        isChanged = true;
    }
    return isChanged ? context.arena.rebuilt(block, block, statements) : block;
}

}  // namespace hpcc::nests
