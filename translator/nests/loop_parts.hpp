// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A part of a loop's body that becomes a loop of its own in front of the rest: it makes values
/// that the rest reads from statement `position` of its body on.
struct EarlyPart {
    const Nest* nest = nullptr;
    size_t position = 0;
};

/// Arrays, and arrays and containers, that must share no element for that.
struct ApartInParts {
    std::set<std::pair<std::string, std::string>> arrays, containers;
};

/// Why a part cannot run for all iterations before the rest does; no place if it can. `values`: the
/// arrays that parts fill for the rest.
Obstacle obstacleToParting(Context& context, const EarlyPart& part, const Nest& rest,
                           const std::set<std::string>& values, ApartInParts& apart);

}  // namespace hpcc::nests
