// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "nests/context.hpp"

namespace hpcc::nests {

/// What tells whether an iteration of a loop changes anything that outlives it, with the numbers as
/// they are before it: its body with `found = 1;` in the place of all that does.
///
///     const double v = std::fabs(a[i]);           const double v = std::fabs(a[i]);
///     if (v < least) { least = v; at = i`; }      if (v < least) found = 1;
///
/// So if it is set for none of several iterations, these change nothing. Null if they often may:
/// whatever changes must stand under a comparison with a number that then becomes the other side of
/// it. Null also if the test might do more than that.
ast::NodePtr recordTest(Context& context, const Nest& nest, const Loop& loop,
                        const std::string& found);

}  // namespace hpcc::nests
