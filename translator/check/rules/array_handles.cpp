// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rule 3: a multiarray is a handle by itself: no pointers to it, no C arrays of it, no delete, no
// multiarrays inside, no use as a condition.
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check {
namespace {

// The first pointer or C array of multiarrays inside a type; null if there is none.
const Type* indirectArray(const Type* type) {
    if (type->kind != TypeKind::Pointer && type->kind != TypeKind::CArray) return nullptr;
    if (type->element->kind == TypeKind::Multiarray) return type;
    return indirectArray(type->element);
}

void reportIndirect(const Context& context, NodePtr at, const Type* type) {
    const std::string array = nameOf(type->element);
    if (type->kind == TypeKind::Pointer)
        context.report(Id::PointerToMultiarray, at)
            .help("copy the handle (that aliases the elements), or take a reference: " + array +
                  " &");
    else
        context.report(Id::CArrayOfMultiarrays, at)
            .help("use std::vector<" + array + "> or std::array<" + array + ", n>");
}

NodePtr declaratorOf(NodePtr node) {
    if (node->is<ast::InitDeclarator>()) return node->child(ast::InitDeclarator::declarator);
    if (node->is<ast::Parameter>()) return node->child(ast::Parameter::declarator);
    return node->child(ast::TypeName::declarator);
}

}  // namespace

// Types written with a declarator of their own; what `auto` deduces is reported where it is made.
void declaredType(const Context& context, NodePtr node) {
    const NodePtr declarator = declaratorOf(node);
    if (!declarator || !node->type) return;
    const bool isWritten = declarator->is<ast::PointerDeclarator>() ||
                           declarator->is<ast::ArrayDeclarator>() ||
                           declarator->is<ast::ParenthesizedDeclarator>();
    const Type* found = isWritten ? indirectArray(node->type) : nullptr;
    if (found) reportIndirect(context, declarator, found);
}

void addressOfArray(const Context& context, NodePtr node) {
    const NodePtr named = node->child(ast::Unary::operand);
    const bool isMember = named->is<ast::QualifiedName>() && named->symbol &&
                          named->symbol->kind == ast::SymbolKind::Field;  // &Level::u
    const bool isAddress = node->child(ast::Unary::op)->text() == "&" && !isMember;
    const Type* operand = typeOf(node->child(ast::Unary::operand));
    const auto isPointer = [](NodePtr around) {  // whose declaration is reported already
        return around->is<ast::InitDeclarator>() && around->type && indirectArray(around->type) &&
               !declaratorOf(around)->is<ast::Identifier>();
    };
    if (isAddress && operand->kind == TypeKind::Multiarray &&
        std::ranges::none_of(context.path, isPointer))
        reportIndirect(context, node, typeOf(node));
}

void deletedArray(const Context& context, NodePtr node) {
    const NodePtr operand = node->child(ast::Delete::operand);
    if (!isKind(operand, TypeKind::Multiarray)) return;
    context.report(Id::DeleteMultiarray, node)
        .help("to let go of it earlier, empty the handle: " + textOf(operand) + " = {}");
}

// The element type of a multiarray type or creation.
void elementOfArray(const Context& context, NodePtr node) {
    const NodePtr element = node->is<ast::MultiarrayType>()
                                ? node->child(ast::MultiarrayType::specifiers)
                                : node->child(ast::NewMultiarray::elementType);
    if (!isKind(element, TypeKind::Multiarray)) return;
    context.report(Id::MultiarrayOfMultiarrays, element)
        .help("put them into a std::vector or std::array, or add a dimension");
}

void arrayAsCondition(const Context& context, NodePtr node) {
    const NodePtr condition =
        node->is<ast::If>() ? node->child(ast::If::condition) : node->child(ast::While::condition);
    if (!isKind(condition, TypeKind::Multiarray)) return;
    const std::string text = textOf(condition);
    Report report = context.report(Id::ConditionKind, condition, text, describe(typeOf(condition)));
    if (typeOf(condition)->slots.empty())
        report.help("its element is " + text + "[]");
    else
        report.help("ask whether it has elements: " + text + ".valid()");
}

}  // namespace hpcc::check
