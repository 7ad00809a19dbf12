// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nests/context.hpp"
#include "nests/entry_test.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// Which function of the standard library a call names that chooses one of several numbers: "max",
/// "min", "clamp", "fmax" or "fmin"; "" if it is another call.
std::string_view extremeOf(ast::NodePtr call);

/// What it chooses from; of `std::max({a, b, c})` the elements of the list.
std::vector<ast::NodePtr> offeredTo(ast::NodePtr extreme);

/// "max" or "min" if the number with this text becomes the larger or smaller one of itself and `e`
/// where it becomes `e` under this condition: `name < e`; "" of other conditions.
std::string keptBy(ast::NodePtr condition, std::string_view text, ast::NodePtr e);

/// True if an integer is computed from what ast::isPure() takes, the larger or smaller of two among
/// it.
bool isPureInteger(ast::NodePtr e);

/// A call of std::fmax or std::fmin.
bool isFmaxOrFmin(ast::NodePtr e);

/// The same call of functions of the runtime, with `fast` copies of the arguments; null if it is
/// another one. Those give a number, not a reference to one of their arguments, which would keep
/// them in memory, and the C++ compiler makes vector code of them, which it does not of std::fmax.
///
///     least = std::min(least, d);          least = hpspmd::detail::smaller(least, d);
///     std::max({a, b, c})                  hpspmd::detail::larger(hpspmd::detail::larger(a, b), c)
ast::NodePtr withoutReferences(Context& context, ast::NodePtr call,
                               const std::function<ast::NodePtr(ast::NodePtr)>& fast);

/// The assignment of the largest or least number so far as one comparison, if loops join such
/// numbers and the entry test finds a number in the first one: then it is always a number.
///
///     worst = std::fmax(d, worst);         worst = hpspmd::detail::larger(worst, d);
///
/// Null if the assignment is another one, or the numbers are of several types.
ast::NodePtr keptNumber(Context& context, const NestPlan& plan, EntryTest& test,
                        ast::NodePtr assign, const std::function<ast::NodePtr(ast::NodePtr)>& fast);

}  // namespace hpcc::nests
