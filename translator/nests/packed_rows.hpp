// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"

namespace hpcc::nests {

/// The names of an overall's run and of the constant that a counting loop is compared with, if any.
struct Bounds {
    std::string run, end;
};

/// An independent innermost loop in steps of one that assigns the elements of a row an expression
/// over others of type double that WideValues takes, perhaps with numbers declared in front, as a
/// call of the library's loop for this, which computes as many at once as a register holds; null if
/// it is no such loop.
///
///     for (Index k = 1; k < n - 1; ++k) v[i, k] = 0.5 * (u[i, k - 1] + u[i, k + 1]);
/// ->
///     hpspmd::detail::eachOfRow<false>(v_data + v_s0 * i, 1, hpspmd::Index(n - 1) - 1,
///         [&](const auto &k_row) {
///             return 0.5 * (k_row.at(u_data + u_s0 * i - 1) + k_row.at(u_data + u_s0 * i + 1));
///         });
///
/// The same with a number of which it keeps the largest or least, too: keptOfRow().
ast::NodePtr packedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                        const EntryTest& test, const Bounds& bounds);

}  // namespace hpcc::nests
