// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

#include "lower/context.hpp"
#include "lower/demand.hpp"

namespace hpcc::lower {

/// `hpspmd::detail::check(a, "a", {hpspmd::detail::over(x, -1, 1), hpspmd::detail::unchecked});`
/// or, for a flag, `const bool a_fits = hpspmd::detail::passes(a, {..});`.
/// `lowered` gives a lowered copy of an expression of the restricted form.
ast::NodePtr makeCheck(Context& context, const Demand& demand,
                       const std::function<ast::NodePtr(ast::NodePtr)>& lowered);

}  // namespace hpcc::lower
