// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/nest.hpp"
#include "nests/plan.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {

/// True if everything that the nest assigns, but its own variables, is known as a number.
bool assignsNumbersOnly(const Nest& nest);

/// Statements of a fast form as a function of their own, which gets the numbers that it reads by
/// value and returns those that it assigns. In a large function the C++ compiler runs out of
/// registers for loops, and where loops store elements it must read again what they might have
/// changed.
///
///     { s += a_data[i] * factor; }
/// ->
///     s = hpspmd::detail::apart([&](const auto &i_run, const auto &factor, auto s) {
///         s += a_data[i] * factor;
///         return s;
///     }, i_run, factor, s);
///
/// A block of the statements if that would not be the same: they may raise an error, assign
/// something that is not known as a number, or read what they assign by a pointer.
///
/// With `threads` it is that call which gets the function, with the run of the outermost loop as
/// the first of the runs. Loops that the C++ compiler computes several iterations of at once get
/// the widest registers: hpspmd::detail::wide([&](..) { .. }).
ast::NodePtr apart(Context& context, const NestPlan& plan, std::vector<ast::NodePtr> statements,
                   ast::NodePtr origin, const ThreadCall* threads = nullptr);

/// The call in what apart() gives; null of a block.
ast::NodePtr callOfApart(ast::NodePtr statement);

/// True if an argument of that call is the function.
bool isFunctionOfApart(ast::NodePtr argument);

}  // namespace hpcc::nests
