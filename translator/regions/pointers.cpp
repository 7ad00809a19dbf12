// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/pointers.hpp"

#include "analysis/constant.hpp"
#include "ast/declarators.hpp"
#include "ast/search.hpp"

namespace hpcc::regions {
namespace {

bool isReached(const ast::Type* type) {
    const bool isSpan = isContiguous(type) && type->classSymbol->name == "span";
    return type && (type->kind == ast::TypeKind::Pointer || type->isReference || isSpan);
}

// An element of it, however many dimensions it has.
const ast::Type* elementOf(const ast::Type* type) {
    while (type && !isReached(type) && (type->kind == ast::TypeKind::CArray || isContiguous(type)))
        type = type->element ? type->element : type->arguments.front();
    return type;
}

NodePtr pointerOf(const ast::Type* type);

NodePtr pointerAmong(NodePtr member) {
    if (!ast::is<ast::Declaration>(member)) return nullptr;
    const NodePtr specifiers = member->child(ast::Declaration::specifiers),
                  list = member->child(ast::Declaration::declarators);
    const NodePtr before =
        ast::is<ast::Specifiers>(specifiers) ? specifiers->child(ast::Specifiers::before) : nullptr;
    if (!list || (before && before->text().find("static") != std::string_view::npos))
        return nullptr;
    for (const NodePtr each : list->children()) {
        const NodePtr declarator = each->child(ast::InitDeclarator::declarator),
                      name = ast::declaredName(declarator);
        if (!name || !name->symbol || ast::functionDeclarator(declarator)) continue;
        const ast::Type* type = elementOf(name->symbol->type);
        if (isReached(type) || pointerOf(type)) return name;
    }
    return nullptr;
}

NodePtr pointerOf(const ast::Type* type) {
    const analysis::Descent descent;
    const Symbol* symbol = type && type->kind == ast::TypeKind::Class ? type->classSymbol : nullptr;
    if (descent.isTooDeep() || !symbol || !ast::is<ast::Class>(symbol->declaration)) return nullptr;
    const NodePtr members = symbol->declaration->child(ast::Class::members);
    if (!members) return nullptr;
    for (const NodePtr member : members->children())
        if (const NodePtr found = pointerAmong(member)) return found;
    return nullptr;
}

// The member of the array's elements that is a pointer or a reference, or has one; null if there is
// none in sight.
NodePtr pointerIn(const DividedArray& array) {
    const ast::Type& type = *array.symbol->type;
    return pointerOf(elementOf(type.element ? type.element : type.arguments.front()));
}

}  // namespace

bool tellPointer(const DividedArray& array, source::Span place, diagnostics::Engine& engine) {
    const NodePtr pointer = pointerIn(array);
    if (!pointer) return false;
    engine.report(diagnostics::Id::PointersInElements, place, array.symbol->name)
        .note(pointer->span(), "it is a pointer, or holds one")
        .help("let elements hold the number of what they mean in another array");
    return true;
}

}  // namespace hpcc::regions
