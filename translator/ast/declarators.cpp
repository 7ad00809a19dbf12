// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/declarators.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/search.hpp"

namespace hpcc::ast {
namespace {

// One step from the outside in; null at the name.
NodePtr inner(NodePtr declarator) {
    switch (declarator->kind()) {
    case Kind::PointerDeclarator:
        return declarator->child(PointerDeclarator::declarator);
    case Kind::ArrayDeclarator:
        return declarator->child(ArrayDeclarator::declarator);
    case Kind::FunctionDeclarator:
        return declarator->child(FunctionDeclarator::declarator);
    case Kind::ParenthesizedDeclarator:
        return declarator->child(ParenthesizedDeclarator::declarator);
    case Kind::BitField:
        return declarator->child(BitField::declarator);
    case Kind::PackDeclarator:
        return declarator->child(PackDeclarator::name);
    default:
        return nullptr;
    }
}

bool isName(NodePtr node) {
    switch (node->kind()) {
    case Kind::Identifier:
    case Kind::QualifiedName:
    case Kind::TemplateName:
    case Kind::OperatorName:
    case Kind::ConversionName:
    case Kind::DestructorName:
        return true;
    default:
        return false;
    }
}

}  // namespace

NodePtr declaredName(NodePtr declarator) {
    while (declarator && !isName(declarator)) declarator = inner(declarator);
    return declarator;
}

NodePtr functionDeclarator(NodePtr declarator) {
    // What is applied to the name first decides: "*f(int)" is a function, "(*f)(int)" a pointer.
    NodePtr last = nullptr;
    for (; declarator && !isName(declarator); declarator = inner(declarator))
        if (!declarator->is<ParenthesizedDeclarator>()) last = declarator;
    return is<FunctionDeclarator>(last) ? last : nullptr;
}

std::span<const NodePtr> declaratorsOf(NodePtr declaration) {
    const NodePtr list = declaration->child(Declaration::declarators);
    return list ? list->children() : std::span<const NodePtr>();
}

DeclaredParts declaredIn(NodePtr node) {
    const auto parts = node->children();
    return {parts[parts.size() - 2], parts.back()};
}

NodePtr parametersOf(NodePtr function) {
    if (function->is<Lambda>()) return function->child(Lambda::parameters);
    const NodePtr declarator = functionDeclarator(function->child(FunctionDefinition::declarator));
    return declarator ? declarator->child(FunctionDeclarator::parameters) : nullptr;
}

NodePtr valueOfLambda(NodePtr lambda) {
    const NodePtr parameters = lambda->child(Lambda::parameters);
    const auto statements = lambda->child(Lambda::body)->children();
    const bool isOne = statements.size() == 1 && is<Return>(statements[0]);
    const NodePtr value = isOne ? statements[0]->child(Return::value) : nullptr;
    const auto changes = [](NodePtr each) {
        return changedOperand(each) || isAny<Lambda, OpaqueExpression>(each);
    };
    const auto isNamed = [](NodePtr each) { return each->symbol != nullptr; };
    const bool isPlain =
        value && !lambda->child(Lambda::qualifiers) && !anywhere(value, changes) &&
        std::ranges::all_of(lambda->child(Lambda::captures)->children(), is<DefaultCapture>) &&
        (!parameters || std::ranges::all_of(parameters->children(), isNamed));
    return isPlain ? value : nullptr;
}

NodePtr elementSpecifiers(NodePtr multiarrayType) {
    const NodePtr element = multiarrayType->child(MultiarrayType::specifiers);
    return element->is<TypeName>() ? element->child(TypeName::specifiers) : element;
}

}  // namespace hpcc::ast
