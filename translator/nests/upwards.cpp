// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/upwards.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_map>

#include "analysis/constant.hpp"
#include "analysis/loop.hpp"
#include "analysis/operators.hpp"
#include "ast/purity.hpp"
#include "ast/rewriter.hpp"
#include "ast/search.hpp"
#include "nests/independence.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Triplets = std::unordered_map<NodePtr, long>;  // with their steps upwards

class Turning : public ast::Rewriter {
public:
    Turning(Context& context, const Triplets& downwards)
        : Rewriter(context.arena), context_(context), downwards_(downwards) {}

    NodePtr rewriteTriplet(NodePtr node) override {
        const auto found = downwards_.find(node);
        if (found == downwards_.end()) return rewriteChildren(node);
        const NodePtr low = node->child(ast::Triplet::low), high = node->child(ast::Triplet::high);
        const long by = found->second;
        std::vector<NodePtr> parts{high, low, nullptr};
        if (by > 1) {
            parts[0] = lastReached(low, high, std::to_string(by));
            parts[2] = ast::literal(arena(), std::to_string(by), node);
        }
        return arena().rebuilt(node, node, parts);
    }

private:
    /// Where `last : first : -by` ends; beyond `last` if it has no element.
    NodePtr lastReached(NodePtr last, NodePtr first, const std::string& by) {
        const std::string rest =
            by == "2" ? "($l - $f) & 1" : "(($l - $f) % " + by + " + " + by + ") % " + by;
        const auto copy = [&](NodePtr e) { return context_.operand(ast::copy(arena(), e)); };
        return context_.expression(
            "$first + (" + rest + ")",
            {{"$first", copy(first)}, {"$l", copy(last)}, {"$f", copy(first)}}, last);
    }

    Context& context_;
    const Triplets& downwards_;
};

/// True if differences of both may be below zero, and computing them twice does no harm.
bool areSigned(NodePtr low, NodePtr high) {
    return std::ranges::all_of(std::array{low, high}, [](NodePtr e) {
        return ast::isPure(e) && analysis::numberOf(e).isSigned;
    });
}

/// `e - 1`, what counts up to what is not reached, what is a subscript: never the largest value of
/// its type, behind which counting up would go.
bool isBelowMost(const Nest& nest, const Loop& loop, NodePtr e) {
    e = ast::withoutParentheses(e);
    if (analysis::operatorOf(e) == "-" && ast::is<ast::Binary>(e) && analysis::numberOf(e).isSigned)
        return analysis::constantValue(e->child(ast::Binary::right)).value_or(0) > 0;
    for (const Loop* each = loop.outer; each; each = each->outer)
        if (each->kind == Loop::Kind::Counting && each->variable == e->text())
            return each->step > 0 && !each->reachesEnd;
    return e == loop.first && std::ranges::any_of(nest.accesses, [&](const Access& access) {
               return std::ranges::any_of(access.slots,
                                          [&](const Slot& slot) { return slot.loop == &loop; });
           });
}

}  // namespace

std::optional<Upwards> upwards(Context& context, const Nest& nest) {
    if (nest.callsForeign) return std::nullopt;
    Triplets downwards;
    ArrayPairs pairs;
    for (const Loop& loop : nest.loops) {
        if (loop.kind != Loop::Kind::Overall) continue;
        const NodePtr triplet = tripletOf(loop), step = triplet->child(ast::Triplet::step);
        const auto by = step ? analysis::constantValue(step) : 1;
        if (by && *by > 0) continue;
        if (by == 0) return std::nullopt;
        const NodePtr low = triplet->child(ast::Triplet::low),
                      high = triplet->child(ast::Triplet::high);
        const bool isTurnable = by && low && high && (by == -1 || areSigned(low, high)) &&
                                !loop.touchesForeign && lastingIn(loop).empty();
        if (!isTurnable || meetingIn(nest, loop, pairs).write) return std::nullopt;
        downwards.emplace(triplet, static_cast<long>(-*by));
    }
    if (downwards.empty() || pairs.size() > mostArrayPairs) return std::nullopt;
    Upwards result;
    result.overall = Turning(context, downwards).rewrite(nest.loops.front().statement);
    for (const auto& [left, right] : pairs)
        result.apart.insert(std::minmax(nest.arrays[left].text, nest.arrays[right].text));
    return result;
}

bool mayBeTurned(const Nest& nest, const Loop& loop) {
    if (loop.kind != Loop::Kind::Counting || loop.step != -1) return false;
    const auto counting = analysis::countingLoop(loop.statement);
    const ast::NumberType own = counting ? counting->number() : ast::NumberType();
    if (own.bits < 32 || (!own.isSigned && !analysis::constantValue(loop.end))) return false;
    const auto fits = [&](NodePtr e, bool isReached) {
        if (const auto value = analysis::constantValue(e))
            return *value >= (own.isSigned ? std::numeric_limits<int>::min() : 0) &&
                   *value < std::numeric_limits<int>::max();
        const ast::NumberType number = analysis::numberOf(e);
        return number.bits > 0 && analysis::holdsAllOf(own, number) &&
               (own.bits > 32 || isReached || isBelowMost(nest, loop, e));
    };
    const auto isLasting = [&](NodePtr e) { return ast::isPure(e) && !mayChangeIn(loop, e); };
    return fits(loop.first, false) && fits(loop.end, loop.reachesEnd) && isLasting(loop.first) &&
           isLasting(loop.end);
}

NodePtr turned(Context& context, NodePtr loop) {
    const auto counting = analysis::countingLoop(loop);
    if (!counting || counting->step != -1 || ast::anywhere(counting->first, ast::is<ast::Call>))
        return loop;
    const std::string type =
        ast::print(loop->child(ast::For::initializer)->child(ast::Declaration::specifiers));
    if (type == "auto") return loop;
    const auto end = analysis::constantValue(counting->bound);
    const std::string least = counting->includesBound() ? "$end"
                              : end                     ? std::to_string(*end + 1)
                                                        : "$end + 1";
    // k < n of n - 1: C++ compilers know such ends.
    const NodePtr first = ast::withoutParentheses(counting->first);
    const bool isBeforeEnd = analysis::operatorOf(first) == "-" && ast::is<ast::Binary>(first) &&
                             analysis::constantValue(first->child(ast::Binary::right)) == 1 &&
                             !analysis::constantValue(first) &&
                             analysis::numberOf(first).isSigned &&
                             analysis::holdsAllOf(counting->number(), analysis::numberOf(first));
    const auto k = [&] { return ast::copy(context.arena, counting->name); };
    return context.statement(
        "for (" + type + " $k = " + least + (isBeforeEnd ? "; $k2 < $first" : "; $k2 <= $first") +
            "; ++$k3) $body;",
        {{"$k", k()},
         {"$end", counting->bound},
         {"$k2", k()},
         {"$first", isBeforeEnd ? first->child(ast::Binary::left) : counting->first},
         {"$k3", k()},
         {"$body", loop->child(ast::For::body)}},
        loop);
}

}  // namespace hpcc::nests
