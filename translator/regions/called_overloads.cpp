// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/called_overloads.hpp"

#include <algorithm>
#include <vector>

#include "ast/declarators.hpp"
#include "ast/purity.hpp"
#include "ast/scope.hpp"
#include "ast/search.hpp"
#include "ast/specifiers.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "regions/called_arguments.hpp"
#include "regions/called_function.hpp"

namespace hpcc::regions {
namespace {

// Could this function be the one, by the number and the kinds of its parameters?
bool mayTake(const Symbol& function, NodePtr call) {
    const auto parameters = formalsOf(function.declaration);
    const auto arguments = argumentsOf(call);
    if (arguments.size() > parameters.size()) return false;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (!ast::is<ast::Parameter>(parameters[k])) return true;
        if (k >= arguments.size()) {
            if (!parameters[k]->child(ast::Parameter::defaultValue)) return false;
            continue;
        }
        const NodePtr name = ast::declaredName(parameters[k]->child(ast::Parameter::declarator));
        const ast::Type* own = name && name->symbol ? name->symbol->type : nullptr;
        const ast::Type* given = arguments[k]->type;
        if (!own || !given || own->kind == ast::TypeKind::Unknown || own->isDependent ||
            given->kind == ast::TypeKind::Unknown)
            continue;
        const bool isArray = own->kind == ast::TypeKind::Multiarray;
        if (isArray != (given->kind == ast::TypeKind::Multiarray)) return false;
        if (isArray && own->slots.size() != given->slots.size()) return false;
        if (ast::isNumber(own) && ast::isIndexValue(arguments[k])) return false;
        if (own->kind == ast::TypeKind::Index && given->kind == ast::TypeKind::ShiftedIndex)
            return false;
    }
    return true;
}

const ast::Type* typeOf(NodePtr object) {
    const bool isNamed = ast::is<ast::Identifier>(object) && object->symbol;
    return isNamed ? object->symbol->type : object->type;
}

// Of the object that the call names in front of the function, or that it calls.
bool isOfConstant(NodePtr call) {
    NodePtr object = objectCalled(call);
    if (!object) {
        const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
        if (!ast::is<ast::Member>(callee)) return false;
        object = ast::withoutParentheses(callee->child(ast::Member::base));
    }
    for (; object; object = ast::withoutParentheses(object->child(ast::Member::base))) {
        if (const ast::Type* type = typeOf(object); type && type->isConst) return true;
        if (!ast::is<ast::Member>(object)) return false;
    }
    return false;
}

NodePtr declaratorOf(NodePtr function) {
    return function->child(ast::FunctionDefinition::declarator);
}

bool isConstant(NodePtr function) { return ast::isQualifiedAs(declaratorOf(function), "const"); }

bool givesReference(NodePtr function) {
    return ast::is<ast::PointerDeclarator>(declaratorOf(function));
}

// Of its result, without `const`.
std::string_view coreOf(NodePtr function) {
    const NodePtr specifiers = function->child(ast::FunctionDefinition::specifiers);
    const NodePtr core =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::core) : nullptr;
    return core ? core->text() : "";
}

bool doTheSame(NodePtr a, NodePtr b) {
    const NodePtr mine = ast::parametersOf(a), others = ast::parametersOf(b);
    return mine && others && mine->text() == others->text() && coreOf(a) == coreOf(b) &&
           coreOf(a) != "auto" && flat(bodyOf(a)->text()) == flat(bodyOf(b)->text());
}

// One of them for constant objects, one for others.
Overload ofTwo(NodePtr a, NodePtr b, NodePtr call) {
    if (isConstant(a)) std::swap(a, b);
    if (isConstant(a) || !isConstant(b) || !doTheSame(a, b)) return {};
    if (isOfConstant(call)) return {b, false};
    return {a, givesReference(a)};
}

}  // namespace

NodePtr objectCalled(NodePtr call) {
    if (!ast::is<ast::Call>(call)) return nullptr;
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    const NodePtr name =
        ast::isAny<ast::Member, ast::PointerMember>(callee) ? callee->child(1) : callee;
    if (!isPath(callee) && !isThisObject(callee)) return nullptr;
    if (ast::is<ast::Identifier>(name) &&
        (!name->symbol || (name->symbol->kind != ast::SymbolKind::Variable &&
                           name->symbol->kind != ast::SymbolKind::Parameter &&
                           name->symbol->kind != ast::SymbolKind::Field)))
        return nullptr;
    const ast::Type* type = typeOf(callee);
    const Symbol* const owner =
        type && type->kind == ast::TypeKind::Class ? type->classSymbol : nullptr;
    const bool isOwn = owner && ast::is<ast::Class>(owner->declaration) && owner->members;
    return isOwn && owner->members->findHere("operator()") ? callee : nullptr;
}

Overload overloadOf(NodePtr call) {
    const NodePtr object = objectCalled(call);
    const Symbol* const first =
        object ? typeOf(object)->classSymbol->members->findHere("operator()")
               : nameCalled(ast::withoutParentheses(call->child(ast::Call::callee)));
    if (!first || first->kind != ast::SymbolKind::Function) return {};
    std::vector<NodePtr> found;
    for (const Symbol* each = first; each; each = each->previous) {
        if (!ast::is<ast::FunctionDefinition>(each->declaration)) return {};
        if (mayTake(*each, call)) found.push_back(each->declaration);
    }
    if (found.size() == 2) return ofTwo(found[0], found[1], call);
    return found.size() == 1 ? Overload{found[0], false} : Overload{};
}

}  // namespace hpcc::regions
