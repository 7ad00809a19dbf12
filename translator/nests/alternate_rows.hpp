// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"

namespace hpcc::nests {

/// An independent innermost loop in steps of two that writes one row and reads it between the
/// elements written, as a call of the library's loop for this; null if it is no such loop. `run` is
/// its run.
///
///     overall (j = y for 1 + (i` + it) % 2 : n - 2 : 2)
///         a[i, j] = 0.5 * (a[i - 1, j] + a[i, j + 1]);
/// ->
///     hpspmd::detail::everySecond<0, 1>(a_data + a_s0 * i, j_run.first, j_run.last, [&](const auto
///     &j_row) {
///         return 0.5 * (j_row.at(a_data + a_s0 * (i - 1)) + j_row.right());
///     });
ast::NodePtr alternateRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                           const std::string& run);

}  // namespace hpcc::nests
