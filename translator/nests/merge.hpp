// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nests/fusable.hpp"

namespace hpcc::nests {

/// Nests, or loops of one nest, that stand one behind the other and can be one.
struct FusionGroup {
    std::deque<Member> members;
    size_t depth = 0;  // loops that they have in common
    NamePairs apart;
    bool isForTiles = false;  // what they become is computed in register tiles

    static constexpr size_t largest = 8;  // members; more would need too many registers
};

/// Why the last member cannot be one with those before it; nothing if it can, and is.
std::optional<Obstacle> obstacleToJoining(Context& context, FusionGroup& group);

/// Several nests as one.
struct Merged {
    ast::NodePtr overall = nullptr;
    ast::NodePtr body = nullptr;  // the block in the innermost common loop
};

/// With `depth` loops in common; what is inside of them stands one after the other, with the
/// variables of the first nest.
Merged merge(Context& context, const std::deque<Member>& members, size_t depth);

/// A copy with other names for some identifiers.
ast::NodePtr withNames(Context& context, ast::NodePtr node,
                       const std::map<std::string, std::string>& names);

/// A nest, and each loop that is all that the one round it does.
std::vector<const Loop*> chainOf(const Nest& nest);

}  // namespace hpcc::nests
