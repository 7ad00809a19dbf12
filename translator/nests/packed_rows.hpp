// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// The names of what a loop goes over, which has a first and a last value, and of the constant that
/// a counting loop is compared with, if any; and what of its body is left there, null for all.
struct Bounds {
    std::string run, end;
    ast::NodePtr body = nullptr;
};

/// A loop round that of a row, of which several iterations change each element, one after the
/// other; `before` stands in each of them first.
struct Repetition {
    const Loop* loop = nullptr;
    Bounds bounds = {};
    std::vector<ast::NodePtr> before = {};
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
/// The same with a number of which it keeps the largest or least, too: keptOfRow(). An `overall` in
/// steps of two whose neighbours in the row are the other elements:
///
///     overall (j = y for 1 : n - 2 : 2) a[i, j] = 0.5 * (a[i, j - 1] + a[i, j + 1]);
/// ->
///     hpspmd::detail::everySecond<1, 1>(a_data + a_s0 * i, j_run.first, j_run.last,
///         [&](const auto &j_row) { return 0.5 * (j_row.left() + j_row.right()); });
///
/// With a repetition, the loop round it:
///
///     for (int k = 0; k < n; ++k)
///         for (Index j = 0; j < m; ++j) c[i, j] += a[i, k] * b[k, j];
/// ->
///     hpspmd::detail::eachOfRowAgain<int>(c_data + c_s0 * i, 0, hpspmd::Index(m) - 1, 0,
///         hpspmd::Index(n) - 1, [&](const int k) {
///             const auto a_value = a_data[a_s0 * i + k];
///             return [=](const auto &j_row, const auto &c_own) {
///                 return c_own + a_value * j_row.at(b_data + b_s0 * k);
///             };
///         });
ast::NodePtr packedRows(Context& context, const Nest& nest, const Loop& loop, Elements& elements,
                        const EntryTest& test, const Bounds& bounds,
                        const Repetition* repetition = nullptr);

}  // namespace hpcc::nests
