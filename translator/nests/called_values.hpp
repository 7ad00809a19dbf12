// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

#include "nests/context.hpp"

namespace hpcc::nests {

/// What a call of a function or lambda of the program gives that returns an expression of `+ - * /`
/// and of choices by comparisons over its parameters, all of the type `number`,
/// int (without / and with comparisons as 0 or 1) or double:
///
///     double mean(double l, double r) { return 0.5 * (l + r); }
///
///     mean(a, b + c)   ->   0.5 * (a + (b + c))
///
/// `arguments` stand for those of the call. Null if the function does anything else.
ast::NodePtr calledValue(Context& context, ast::NodePtr call,
                         const std::vector<ast::NodePtr>& arguments, std::string_view number);

}  // namespace hpcc::nests
