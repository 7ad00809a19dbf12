// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/plain_values.hpp"

#include <algorithm>

#include "analysis/compile_time.hpp"
#include "analysis/constant.hpp"
#include "analysis/harmless_calls.hpp"
#include "analysis/instance_types.hpp"
#include "analysis/numbers.hpp"
#include "analysis/own_parts.hpp"
#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "ast/symbol.hpp"

namespace hpcc::analysis {
namespace {

using ast::NodePtr;

/// The classes that are looked into. Their own functions may take them, as one of their
/// constructors.
thread_local std::vector<const ast::Symbol*> around;

bool isPlainField(NodePtr declarator) {
    const NodePtr initializer = declarator->child(ast::InitDeclarator::initializer);
    return !initializer || isHarmlessInitializer(initializer);
}

/// A constructor from other things than an object of the class, which only computes it.
bool isPlainConstructor(NodePtr member, const ast::Symbol& owner) {
    const NodePtr name = ast::declaredName(member->child(ast::FunctionDefinition::declarator));
    const ast::Type* type = member->type;
    if (!name || name->text() != owner.name || !type || type->kind != ast::TypeKind::Function)
        return false;
    const bool isCopy = std::ranges::any_of(type->parameters, [&](const ast::Type* each) {
        return each->classSymbol == &owner || each->kind == ast::TypeKind::Unknown;
    });
    return !type->isVariadic && !isCopy && isHarmlessConstructor(member);
}

/// Of those that a class has by itself: `Vector() = default;`
bool isDefaulted(NodePtr member) {
    const NodePtr specifiers = member->child(ast::DefaultedFunction::specifiers);
    const NodePtr before = ast::is<ast::Specifiers>(specifiers)
                               ? specifiers->child(ast::Specifiers::before)
                               : specifiers;
    return !ast::holdsWord(before, "virtual") &&
           member->text().find("default") != std::string_view::npos;
}

/// A member that is no destructor, assignment or conversion, nor a constructor that does more than
/// compute its object.
bool isPlainMember(NodePtr member, const ast::Symbol& owner) {
    switch (member->kind()) {
    case ast::Kind::AccessSpecifier:
    case ast::Kind::EmptyDeclaration:
    case ast::Kind::AliasDeclaration:
    case ast::Kind::StaticAssertion:
        return true;
    case ast::Kind::DefaultedFunction:
        return isDefaulted(member);
    case ast::Kind::FunctionDefinition:
        if (!ast::is<ast::Specifiers>(member->child(ast::FunctionDefinition::specifiers)))
            return isPlainConstructor(member, owner);
        return ast::declaredName(member->child(ast::FunctionDefinition::declarator))->text() !=
               "operator=";
    case ast::Kind::Declaration: {
        const NodePtr declarators = member->child(ast::Declaration::declarators);
        return declarators && std::ranges::all_of(declarators->children(), isPlainField);
    }
    default:
        return false;
    }
}

bool isPlain(const ast::Type* type, bool hasNumbers = false);

/// `hasNumbers`: what parameters of its template stand for.
bool isPlainClass(const ast::Symbol& symbol, bool hasNumbers) {
    if (symbol.shape == ast::StandardShape::Opaque) return true;
    const NodePtr definition = symbol.declaration;
    if (!ast::is<ast::Class>(definition) || !symbol.members || definition->child(ast::Class::bases))
        return false;
    if (std::ranges::find(around, &symbol) != around.end()) return true;
    around.push_back(&symbol);
    const bool result =
        std::ranges::all_of(definition->child(ast::Class::members)->children(),
                            [&](NodePtr member) { return isPlainMember(member, symbol); }) &&
        std::ranges::all_of(symbol.members->symbols(), [&](const ast::Symbol* member) {
            return member->kind != ast::SymbolKind::Field || isPlain(member->type, hasNumbers);
        });
    around.pop_back();
    return result;
}

bool isPairOfNumbers(const ast::Type* type) {
    return type->kind == ast::TypeKind::Class && type->classSymbol &&
           type->classSymbol->shape == ast::StandardShape::Pair && type->arguments.size() == 2 &&
           std::ranges::all_of(type->arguments, ast::isNumber);
}

bool isPlain(const ast::Type* type, bool hasNumbers) {
    if (!type || type->isReference) return false;
    if (type->kind == ast::TypeKind::CArray) return isPlain(type->element, hasNumbers);
    if (ast::isStandardArray(type)) return isPlain(type->arguments.front(), hasNumbers);
    const bool isParameter =
        type->classSymbol && type->classSymbol->kind == ast::SymbolKind::TemplateParameter;
    if (isParameter && hasNumbers && !type->element) return true;
    if (isPairOfNumbers(type)) return true;
    if (type->kind == ast::TypeKind::Class) {
        const auto isANumber = [&](const ast::Type* each) {
            return ast::isNumber(each) || (hasNumbers && typeParameterOf(each) && !each->element);
        };
        const bool isOfNumbers =
            type->arguments.empty() ? hasNumbers : std::ranges::all_of(type->arguments, isANumber);
        return type->classSymbol && (ast::is<ast::Enum>(type->classSymbol->declaration) ||
                                     isPlainClass(*type->classSymbol, isOfNumbers));
    }
    return isNumber(type);
}

/// A virtual function, a destructor, a constructor from an object of the class, or one out of
/// sight.
bool makesCopiesOther(NodePtr member, const ast::Symbol& owner) {
    const bool isDefinition = member->is<ast::FunctionDefinition>();
    if (member->is<ast::Template>())
        return makesCopiesOther(member->child(ast::Template::declaration), owner);
    if (member->is<ast::SpecialDeclaration>()) return true;
    if (ast::is<ast::Declaration>(member)) {
        const NodePtr specifiers = member->child(ast::Declaration::specifiers);
        return ast::isSpecifiedAs(specifiers, "virtual");
    }
    if (!isDefinition) return ast::is<ast::DefaultedFunction>(member) && !isDefaulted(member);
    const NodePtr specifiers = member->child(ast::FunctionDefinition::specifiers),
                  declarator = member->child(ast::FunctionDefinition::declarator);
    if (ast::isVirtual(specifiers, declarator)) return true;
    if (ast::is<ast::Specifiers>(specifiers)) return false;
    const NodePtr name = ast::declaredName(declarator);
    if (!name || name->text() != owner.name) return ast::is<ast::DestructorName>(name);
    return !member->type ||
           std::ranges::any_of(member->type->parameters, [&](const ast::Type* each) {
               return each->classSymbol == &owner || each->kind == ast::TypeKind::Unknown;
           });
}

}  // namespace

bool isCopiedAsItIs(const ast::Type* type) {
    const ast::Symbol* const symbol =
        type && type->kind == ast::TypeKind::Class ? type->classSymbol : nullptr;
    const NodePtr definition = symbol ? symbol->declaration : nullptr;
    if (!ast::is<ast::Class>(definition) || !symbol->members) return true;
    if (definition->child(ast::Class::bases)) return false;
    if (std::ranges::find(around, symbol) != around.end()) return true;
    around.push_back(symbol);
    const bool result =
        std::ranges::none_of(definition->child(ast::Class::members)->children(),
                             [&](NodePtr each) { return makesCopiesOther(each, *symbol); }) &&
        std::ranges::all_of(symbol->members->symbols(), [](const ast::Symbol* member) {
            return member->kind != ast::SymbolKind::Field || isCopiedAsItIs(member->type);
        });
    around.pop_back();
    return result;
}

bool isPlainValue(const ast::Type* type) { return isPlain(type); }

bool isPlainForNumbers(const ast::Type* type) { return isPlain(type, true); }

/// Of std::vector, std::array and std::span, but none of bool; else null.
static const ast::Type* elementOfContainer(const ast::Type* type) {
    if (!type || !ast::isStandardSequence(type)) return nullptr;
    const std::string_view name = type->classSymbol->name;
    const ast::Type* const element = type->arguments.front();
    const bool isContainer = name == "vector" || name == "array" || name == "span";
    return isContainer && element->kind != ast::TypeKind::Bool ? element : nullptr;
}

bool isContainerOfNumbers(const ast::Type* type) {
    const ast::Type* const element = elementOfContainer(type);
    return element && isNumber(element);
}

bool isContainerForNumbers(const ast::Type* type) {
    const ast::Type* const element = elementOfContainer(type);
    return element && isPlain(element, true);
}

const ast::Type* plainElementOf(const ast::Type* container) {
    const bool isArray = container && container->kind == ast::TypeKind::CArray;
    const ast::Type* const element = isArray ? container->element : elementOfContainer(container);
    return element && isPlainValue(element) ? element : nullptr;
}

/// A class that says itself what `=` does.
static bool hasAssignment(const ast::Type* type) {
    const ast::Scope* members = ast::isObject(type) ? type->classSymbol->members : nullptr;
    return members && members->findHere("operator=");
}

bool operatesOnObjects(NodePtr e) {
    if (e->is<ast::Assign>() && e->child(ast::Assign::op)->text() == "=") {
        const ast::Type *value = e->child(ast::Assign::value)->type,
                        *target = ast::withoutParentheses(e->child(ast::Assign::target))->type;
        return (ast::isObject(value) && !isPlainObject(value)) || hasAssignment(target);
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
        if (!size || !isOfCompileTime(size)) return nullptr;
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
    return isArray || namesOwnPart(part) ? elementOf(base) : nullptr;
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
