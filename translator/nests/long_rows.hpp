// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/reductions.hpp"

namespace hpcc::nests {

/// True if a loop goes along rows in steps of one, up, or down where it is turned, between integers
/// that the library can count with as well. What goes over neighbours (`a[i, j + k]`) is short.
bool mayBeLongRow(const Nest& nest, const Loop& loop);

/// Of an iteration, or of a part of it, indices of elements apart.
long operationsIn(ast::NodePtr node);

/// A call that takes the C++ compiler an instruction or two.
bool isChoice(ast::NodePtr call);

/// What stands in front of a loop that joins numbers: the library's loop over as many iterations as
/// fill partial values, if there are many. The loop itself, as it is written for `behind`, begins
/// with the first that is left.
///
///     for (hpspmd::Index j = j_run.first; j <= j_run.last; ++j) s += a_data[j];
/// ->
///     const hpspmd::Index j_rest = hpspmd::detail::takeLongRow<hpspmd::Index,
///         hpspmd::detail::BySum>(j_run.first, j_run.last, [&](const hpspmd::Index j, auto &s) {
///         s += a_data[j];
///     }, s);
///     for (hpspmd::Index j = j_rest; j <= j_run.last; ++j) s += a_data[j];
///
/// Null of a loop that does much in each iteration, or calls more than chooses between numbers:
/// there a sum does not wait for the one before it. So is one of more than four numbers, which do
/// not wait for each other.
ast::NodePtr asLongRow(Context& context, ast::NodePtr loop, const std::vector<Reduction>& joined,
                       const std::function<ast::NodePtr(ast::NodePtr)>& behind);

class Plans;
struct NestPlan;

/// A loop of the plan whose iterations are independent, behind the mark that says so.
ast::NodePtr markedIndependent(Context& context, Plans& plans, const NestPlan& plan,
                               const Loop& loop, ast::NodePtr statement);

}  // namespace hpcc::nests
