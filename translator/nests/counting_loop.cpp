// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/counting_loop.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "analysis/reader.hpp"
#include "ast/purity.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Built from what is declared outside of the nest and never assigned.
bool isFixedRound(NodePtr nest, NodePtr e) {
    if (!e) return true;
    if (e->is<ast::Identifier>())
        return analysis::isStable(e->symbol) && e->symbol->declaration &&
               !nest->origin()->span().contains(e->symbol->declaration->span());
    if (e->is<ast::Member>()) return isFixedRound(nest, e->child(ast::Member::base));
    return (!ast::isExpression(e) || ast::isPure(e)) &&
           std::ranges::all_of(e->children(), [&](NodePtr c) { return isFixedRound(nest, c); });
}

}  // namespace

void recogniseCounting(Loop& loop) {
    const auto counting = analysis::countingLoop(loop.statement);
    if (!counting || !counting->isOwn || !counting->holdsBound()) return;
    // Without a sign, what is below 0 is above everything; so it is compared with what has none.
    const bool mayWrap = counting->includesBound() || counting->endsByMeeting();
    const bool isSigned = counting->number().isSigned;
    if (counting->step < 0 && (isSigned ? !analysis::numberOf(counting->bound).isSigned : mayWrap))
        return;
    const Loop* nest = &loop;
    while (nest->outer) nest = nest->outer;
    loop.endsPerRow =
        counting->endsByMeeting() && !(isFixedRound(nest->statement, counting->first) &&
                                       isFixedRound(nest->statement, counting->bound));
    const bool isUpOfSigned = counting->step == 1 && isSigned &&
                              analysis::numberOf(counting->first).isSigned &&
                              analysis::numberOf(counting->bound).isSigned;
    if (loop.endsPerRow && !isUpOfSigned) return;
    loop.kind = Loop::Kind::Counting;
    loop.variable = counting->name->text();
    loop.first = counting->first;
    loop.end = counting->bound;
    loop.reachesEnd = counting->includesBound();
    loop.endsByMeeting = counting->endsByMeeting();
    loop.step = counting->step;
}

}  // namespace hpcc::nests
