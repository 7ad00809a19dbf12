// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Names the arrays that nests reach by an expression with the same value all through the nest:
/// elements of containers and C arrays, members behind pointers. Where there is no such element the
/// name stands for a null handle, so that nothing fails before the nest would.
///
///     Adlib::writeHalo(u[0]);
///     overall (i = x for 1 : n - 2) u[1][i] = u[0][i - 1] + l->w[i];
/// ->
///     {
///         const auto &u_0 = hpspmd::detail::holds(u, 0) ? u[0]
///                                                       : hpspmd::detail::noArray<decltype(u[0])>;
///         ...
///         Adlib::writeHalo(u_0);
///         overall (i = x for 1 : n - 2) u_1[i] = u_0[i - 1] + l_w[i];
///     }
///
/// Names also the numbers behind pointers, and those of objects, containers and C arrays that the
/// nests change, by references:
///
///     overall (i = x for :) state.total += c->by * a[i];
/// ->
///     {
///         const auto &c_by = bool(c) ? c->by : hpspmd::detail::noNumber<decltype(c->by)>();
///         auto &state_total = state.total;
///         overall (i = x for :) state_total += c_by * a[i];
///     }
ast::Unit bindHandles(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
