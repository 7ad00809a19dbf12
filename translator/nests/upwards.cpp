// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/upwards.hpp"

#include <algorithm>
#include <unordered_set>

#include "analysis/constant.hpp"
#include "ast/rewriter.hpp"
#include "nests/independence.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;
using Triplets = std::unordered_set<NodePtr>;

class Turning : public ast::Rewriter {
public:
    Turning(ast::Arena& arena, const Triplets& downwards)
        : Rewriter(arena), downwards_(downwards) {}

    NodePtr rewriteTriplet(NodePtr node) override {
        if (!downwards_.contains(node)) return rewriteChildren(node);
        return arena().rebuilt(node, node,
                               std::vector<NodePtr>{node->child(ast::Triplet::high),
                                                    node->child(ast::Triplet::low), nullptr});
    }

private:
    const Triplets& downwards_;
};

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
        const bool isTurnable = by == -1 && triplet->child(ast::Triplet::low) &&
                                triplet->child(ast::Triplet::high) && !loop.touchesForeign &&
                                lastingIn(loop).empty();
        if (!isTurnable || meetingIn(nest, loop, pairs).write) return std::nullopt;
        downwards.insert(triplet);
    }
    if (downwards.empty() || pairs.size() > mostArrayPairs) return std::nullopt;
    Upwards result;
    result.overall = Turning(context.arena, downwards).rewrite(nest.loops.front().statement);
    for (const auto& [left, right] : pairs)
        result.apart.insert(std::minmax(nest.arrays[left].text, nest.arrays[right].text));
    return result;
}

}  // namespace hpcc::nests
