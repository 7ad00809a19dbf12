// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// `overall (i = x for :) e` as the argument of a reduction -> `hpspmd::detail::overall(x,
/// hpspmd::Triplet(), [&](const hpspmd::DistributedIndex &i) { return e; })`.
ast::NodePtr lowerOverallExpression(Context& context, ast::NodePtr overall);

}  // namespace hpcc::lower
