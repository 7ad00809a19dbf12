// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/normalize/repeatable.hpp"

#include <algorithm>

#include "analysis/harmless_calls.hpp"
#include "analysis/plain_values.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// True if no operator of a class gives the element.
bool isPlainElement(NodePtr subscript) {
    const NodePtr base = subscript->child(ast::Subscript::base);
    const ast::Type* type = base->type;
    return ast::multiarrayType(base) || analysis::plainElementOf(type) ||
           (type && (type->kind == ast::TypeKind::CArray || type->kind == ast::TypeKind::Pointer));
}

bool isRead(NodePtr e) {
    if (ast::is<ast::Subscript>(e)) return isPlainElement(e);
    if (ast::is<ast::Call>(e)) return analysis::isHarmlessCall(e);
    if (ast::isAny<ast::Binary, ast::Unary>(e)) return !analysis::operatesOnObjects(e);
    return ast::isAny<ast::Subscripts, ast::Arguments, ast::Member, ast::Operator,
                      ast::Conditional>(e) ||
           ast::convertedToNumber(e);
}

}  // namespace

bool isRepeatable(NodePtr expression) {
    const NodePtr e = ast::withoutParentheses(expression);
    if (e->category() == ast::Category::Type || ast::isPure(e)) return true;
    return isRead(e) && !ast::changedOperand(e) && std::ranges::all_of(e->children(), isRepeatable);
}

}  // namespace hpcc::nests
