// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <vector>

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// A nest of which innermost loops compute every second iteration only, because of a condition,
/// with these loops in steps of two:
///
///     overall (j = y for 1 : n - 2)             overall (j = y for 1 + ((i` + 1 + 1) & 1) : n - 2
///     : 2)
///         if ((i` + j`) % 2 == 1)       ->          a[i, j] = ..
///             a[i, j] = ..
struct EverySecond {
    ast::NodePtr overall = nullptr;
    std::vector<ast::NodePtr> conditions = {};  // under which it is the same
};

/// Nothing if there is no such loop.
std::optional<EverySecond> everySecond(Context& context, const Nest& nest);

}  // namespace hpcc::nests
