// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/plain_values.hpp"

#include <algorithm>

#include "analysis/constant.hpp"
#include "analysis/numbers.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;

bool isPlainField(NodePtr declarator) {
    const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
    return !initializer || !initializer->contains(ast::call);
}

/// A member that is no constructor, destructor, assignment or conversion.
bool isPlainMember(NodePtr member) {
    switch (member->kind()) {
    case ast::Kind::AccessSpecifier:
    case ast::Kind::EmptyDeclaration:
        return true;
    case ast::Kind::FunctionDefinition:
        return ast::is<ast::Specifiers>(member->child(ast::FunctionDefinition::specifiers)) &&
               ast::declaredName(member->child(ast::FunctionDefinition::declarator))->text() !=
                   "operator=";
    case ast::Kind::Declaration: {
        const NodePtr declarators = member->child(ast::Declaration::declarators);
        return declarators && std::ranges::all_of(declarators->children(), isPlainField);
    }
    default:
        return false;
    }
}

bool isPlain(const ast::Type* type, int depth);

/// `depth`: of classes in classes that are looked into. One that contains itself, by mistake, ends
/// there.
bool isPlainClass(const ast::Symbol& symbol, int depth) {
    if (symbol.shape == ast::StandardShape::Opaque) return true;
    const NodePtr definition = symbol.declaration;
    if (depth == 0 || !ast::is<ast::Class>(definition) || !symbol.members ||
        definition->child(ast::Class::bases) ||
        !std::ranges::all_of(definition->child(ast::Class::members)->children(), isPlainMember))
        return false;
    return std::ranges::all_of(symbol.members->symbols(), [&](const ast::Symbol* member) {
        return member->kind != ast::SymbolKind::Field || isPlain(member->type, depth - 1);
    });
}

bool isPlain(const ast::Type* type, int depth) {
    if (!type || type->isReference) return false;
    if (type->kind == ast::TypeKind::CArray) return isPlain(type->element, depth);
    if (ast::isStandardArray(type)) return isPlain(type->arguments.front(), depth);
    if (type->kind == ast::TypeKind::Class)
        return type->classSymbol && (ast::is<ast::Enum>(type->classSymbol->declaration) ||
                                     isPlainClass(*type->classSymbol, depth));
    return isNumber(type);
}

}  // namespace

bool isPlainValue(const ast::Type* type) { return isPlain(type, 10); }

bool isContainerOfNumbers(const ast::Type* type) {
    if (!type || !ast::isStandardSequence(type)) return false;
    const std::string_view name = type->classSymbol->name;
    const ast::Type* const element = type->arguments.front();
    return (name == "vector" || name == "array" || name == "span") && isNumber(element) &&
           element->kind != ast::TypeKind::Bool;
}

bool operatesOnObjects(NodePtr e) {
    if (e->is<ast::Assign>() && e->child(ast::Assign::op)->text() == "=") {
        const ast::Type* value = e->child(ast::Assign::value)->type;
        return ast::isObject(value) && !isPlainValue(value);
    }
    return std::ranges::any_of(e->children(), [](NodePtr operand) {
        return operand && ast::isObject(ast::withoutParentheses(operand)->type);
    });
}

bool declaresPlainValue(NodePtr specifiers, NodePtr name) {
    return declaresNumber(specifiers, name) || (name->symbol && isPlainValue(name->symbol->type));
}

NodePtr variableOf(NodePtr declarator) {
    while (ast::is<ast::ArrayDeclarator>(declarator)) {
        const NodePtr size = declarator->child(ast::ArrayDeclarator::size);
        if (!size || !constantValue(size)) return nullptr;
        declarator = declarator->child(ast::ArrayDeclarator::declarator);
    }
    return declarator;
}

NodePtr elementOf(NodePtr part) {
    part = ast::withoutParentheses(part);
    if (ast::is<ast::Member>(part)) return elementOf(part->child(ast::Member::base));
    if (!ast::is<ast::Subscript>(part)) return nullptr;
    const NodePtr base = part->child(ast::Subscript::base);
    if (ast::multiarrayType(base)) return part;
    const bool isArray = base->type && base->type->kind == ast::TypeKind::CArray;
    return isArray ? elementOf(base) : nullptr;
}

NodePtr elementAround(NodePtr member) {
    NodePtr base = member;
    while (ast::is<ast::Member>(base) && isPlainValue(base->child(0)->type))
        base = bare(base->child(0));
    const ast::Type* table = ast::is<ast::Subscript>(base) ? base->child(0)->type : nullptr;
    const bool isKnown =
        table && (table->kind == ast::TypeKind::CArray || table->kind == ast::TypeKind::Pointer ||
                  ast::isStandardSequence(table));
    return isKnown ? base : nullptr;
}

NodePtr tableOf(NodePtr element) {
    while (ast::is<ast::Subscript>(element) || ast::is<ast::Member>(element))
        element = bare(element->child(0));
    const bool isName = ast::isAny<ast::Identifier, ast::QualifiedName>(element);
    const ast::Symbol* symbol = isName ? element->symbol : nullptr;
    const bool isTable =
        symbol && symbol->kind == ast::SymbolKind::Variable && isPlainValue(symbol->type);
    return isTable ? element : nullptr;
}

}  // namespace hpcc::analysis
