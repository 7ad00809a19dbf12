#pragma once

#include <deque>
#include <optional>

#include "nests/fusable.hpp"

namespace hpcc::nests {

/// Nests, or loops of one nest, that stand one behind the other and can be one.
struct FusionGroup {
    std::deque<Member> members;
    size_t depth = 0;  // loops that they have in common
    NamePairs apart;

    static constexpr size_t largest = 8;  // members; more would need too many registers
};

/// Why the last member cannot be one with those before it; nothing if it can, and is.
std::optional<Obstacle> obstacleToJoining(Context& context, FusionGroup& group);

}  // namespace hpcc::nests
