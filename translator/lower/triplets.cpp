// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/triplets.hpp"

namespace hpcc::lower {

using ast::NodePtr;

std::vector<NodePtr> tripletArguments(Context& context, NodePtr triplet) {
    std::vector<NodePtr> parts(triplet->children().begin(), triplet->children().end());
    while (!parts.empty() && !parts.back()) parts.pop_back();
    for (NodePtr& part : parts)
        if (!part) part = context.expression("hpspmd::detail::none", {}, triplet);
    return parts;
}

NodePtr lowerTriplet(Context& context, NodePtr triplet) {
    return context.expression("hpspmd::Triplet($parts)",
                              {{"$parts", tripletArguments(context, triplet)}}, triplet);
}

}  // namespace hpcc::lower
