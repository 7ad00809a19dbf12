// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/loop_guard.hpp"

#include "analysis/loop.hpp"
#include "ast/copy.hpp"
#include "ast/effects.hpp"
#include "ast/purity.hpp"
#include "ast/subscripts.hpp"

namespace hpcc::lower {

using ast::NodePtr;

LoopGuard loopGuard(ast::Arena& arena, NodePtr statement) {
    const auto loop = analysis::loopHead(statement);
    if (!loop || !loop->isOwn || !ast::isPure(loop->first) || !ast::isPure(loop->bound) ||
        ast::namesIn(loop->bound).contains(loop->name->text()))
        return {};
    const auto first = asConstant(loop->first), last = asConstant(loop->bound);
    if (first && last) return {loop->runs(*first, *last), nullptr};
    // A literal at one end: comparing two variables of different signedness would be a warning.
    if (!first && !last) return {};
    // And so would `0 <= n` and `0 > n` be where n is unsigned.
    const bool isTrivial =
        first ? loop->op == "<=" || loop->op == ">" : loop->op == ">=" || loop->op == "<";
    if (first.value_or(0) == 0 && last.value_or(0) == 0 && isTrivial &&
        !ast::mayRearrange(ast::withoutParentheses(first ? loop->bound : loop->first)->type))
        return {};
    const NodePtr condition = ast::withoutParentheses(statement->child(ast::For::condition));
    const bool isMirrored = condition->child(ast::Binary::left) == loop->bound;
    const NodePtr start = ast::copy(arena, loop->first), bound = ast::copy(arena, loop->bound);
    const NodePtr parts[] = {isMirrored ? bound : start, condition->child(ast::Binary::op),
                             isMirrored ? start : bound};
    return {true, ast::rebuild(arena, condition, parts)};
}

}  // namespace hpcc::lower
