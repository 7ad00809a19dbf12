// Subscripts that cannot be the same number, whatever the values of their variables.
#pragma once

#include "check/types.hpp"

#include <string_view>
#include <unordered_set>

namespace hpcc::check::halo {

// Both are computed from values that do not change in the nest. `changed`: names that it assigns.
//
//     a[i, t + 1] .. a[i - 1, t]              1 apart
//     a[i, 1 - now] .. a[i - 1, now]          1 - 2 * now is odd
//     a[i, (t + 1) % 2] .. a[i - 1, t % 2]    1 apart modulo 2
bool areApart(NodePtr a, NodePtr b, NodePtr nest,
              const std::unordered_set<std::string_view>& changed);

}  // namespace hpcc::check::halo
