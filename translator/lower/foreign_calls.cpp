// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/foreign_calls.hpp"

#include <algorithm>

#include "ast/known_calls.hpp"
#include "ast/purity.hpp"
#include "ast/symbol.hpp"
#include "ast/type.hpp"

namespace hpcc::lower {
namespace {

using ast::NodePtr;

/// The last part of a callee: `f` of `n::f`, `s.f`, `s->f`, `f<int>`.
NodePtr lastName(NodePtr callee) {
    callee = ast::withoutParentheses(callee);
    switch (callee->kind()) {
    case ast::Kind::QualifiedName:
        return lastName(callee->child(ast::QualifiedName::name));
    case ast::Kind::Member:
        return lastName(callee->child(ast::Member::name));
    case ast::Kind::PointerMember:
        return lastName(callee->child(ast::PointerMember::name));
    case ast::Kind::TemplateName:
        return lastName(callee->child(ast::TemplateName::name));
    default:
        return callee;
    }
}

/// Of an array, a range .. or a container: what it does is known.
bool isKnownObject(const ast::Type* type) {
    if (!type || type->kind == ast::TypeKind::Unknown) return false;
    if (type->kind != ast::TypeKind::Class) return true;
    return type->classSymbol &&
           (type->classSymbol->declaration || type->classSymbol->shape != ast::StandardShape::None);
}

}  // namespace

bool mayFillUnseen(const ast::Unit& unit, NodePtr call) {
    const NodePtr callee = ast::withoutParentheses(call->child(ast::Call::callee));
    const NodePtr name = lastName(callee);
    if (!name->is<ast::Identifier>() || ast::isLibraryName(callee) ||
        callee->text().starts_with("std::"))
        return false;
    const auto declares = [&](const ast::Whole& whole) {
        return whole.refreshing().contains(name->text());
    };
    if (declares(*unit.whole)) return true;
    if (std::ranges::any_of(unit.imports, [&](const ast::Unit* import) {
            return import->whole && declares(*import->whole);
        }))
        return true;
    if (callee->symbol || name->symbol) return false;
    const bool isMember = callee->is<ast::Member>() || callee->is<ast::PointerMember>();
    return !isMember || !isKnownObject(callee->child(0)->type);
}

}  // namespace hpcc::lower
