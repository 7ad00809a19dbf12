// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// if and else.
#include "analysis/statement_forms.hpp"
#include "check/alignment/walk.hpp"
#include "check/flow/constants.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {

// Where all processes that came have gone elsewhere, it is the condition alone that tells who is
// missing behind: `if (quiet) { if (p.rank() > 0) return; print(); return; }`
void Walk::allAreGone(const State& before) {
    if (state_.isReached || !before.isReached) return;
    Coherence here;
    for (const Guard& each : guards_) here |= each.who;
    for (const Left& each : before.left) here |= each.who;
    for (Left& each : state_.left)
        if (before.whoLeftFor(each.target).none()) each.who = here;
    std::erase_if(state_.left, [](const Left& each) { return each.who.none(); });
}

void Walk::branch(NodePtr node) {
    statement(node->child(ast::If::initializer));
    const NodePtr condition = node->child(ast::If::condition);
    const NodePtr then = node->child(ast::If::then), otherwise = node->child(ast::If::otherwise);
    const Coherence who = test(condition);
    const auto known = flow::literalCondition(bare(condition));
    const State before = state_;
    guards_.push_back({condition, who, !known});
    if (known == false) state_.end();
    statement(then);
    allAreGone(before);
    const State afterThen = state_;
    state_ = before;
    if (known == true) state_.end();
    statement(otherwise);
    allAreGone(before);
    const SourceSet divided = control().surely;
    guards_.pop_back();
    state_.join(afterThen, divided);
    forgiveAlike(condition, {then, otherwise});
}

}  // namespace hpcc::check::alignment
