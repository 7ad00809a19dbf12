// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemata of single expressions and types, and blocks; element accesses: access.hpp.
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// The parts of `l : u : s` as arguments: those left out at the end are left out, one left out
/// before a given one is `hpspmd::detail::none`. `: u` gives {none, u}.
std::vector<ast::NodePtr> tripletArguments(Context& context, ast::NodePtr triplet);

/// `l : u : s` -> `hpspmd::Triplet(l, u, s)`.
ast::NodePtr lowerTriplet(Context& context, ast::NodePtr triplet);

/// `a[[l : u, 3, i, <>]]` -> `hpspmd::section(a, hpspmd::Triplet(l, u), 3, i, hpspmd::split)`;
/// of a range, `x[[l : u]]` -> `x.subrange(l, u)`. `original` tells the type of the base.
ast::NodePtr lowerSection(Context& context, ast::NodePtr original, ast::NodePtr lowered);

/// `new T [[x, 10]] on g` -> `hpspmd::create<T>(g, x, 10)`; without `on`, on the active group.
ast::NodePtr lowerCreation(Context& context, ast::NodePtr creation);

/// `overall (i = x for :) e` as the argument of a reduction -> `hpspmd::detail::overall(x,
/// hpspmd::Triplet(), [&](const hpspmd::DistributedIndex &i) { return e; })`.
ast::NodePtr lowerOverallExpression(Context& context, ast::NodePtr overall);

/// `static const double [[-,*]]` -> `static hpspmd::Array<const double, hpspmd::Dist,
/// hpspmd::Seq>`. A slot named in `slots` (empty string: not) is that template parameter instead.
ast::NodePtr lowerMultiarrayType(Context& context, ast::NodePtr type,
                                 const std::vector<std::string>& slots);

/// A call of an unknown name may be the use of a macro, where only parentheses protect a comma: an
/// argument that got a bare one by lowering is put in parentheses. `assert(static_cast<double
/// [[*,*]]>(a).valid())` needs them, `assert(a[i, j] > 0)` does not.
ast::NodePtr protectArguments(Context& context, ast::NodePtr original, ast::NodePtr lowered);

/// `body` as a block that starts with the statements `first`. A block of the user keeps its braces,
/// comments and layout.
ast::NodePtr blockWith(Context& context, std::vector<ast::NodePtr> first, ast::NodePtr body);

/// A statement or function under `[[hpspmd::budget(messages = 8)]]`, in which what it sends is
/// compared:
///
///     Adlib::writeHalo(a);
///     ->
///     {
///         const hpspmd::detail::WithinBudget budget(8);
///         Adlib::writeHalo(a);
///     }
ast::NodePtr withBudget(Context& context, ast::NodePtr attributed, ast::NodePtr lowered);

/// True for `{}` and `;`.
bool isEmpty(ast::NodePtr body);

}  // namespace hpcc::lower
