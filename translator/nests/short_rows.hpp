// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/elements.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// The loops of a small nest over elements of short rows, a[i, 0] to a[i, 2], with a copy for rows
/// of just as many elements: where the C++ compiler knows their distance it loads whole registers.
/// Others are as they were.
///
///     hpspmd::detail::forPitches<3>([&](const auto a_s0) {
///         for (i ..) y_data[i] = a_data[a_s0 * i] + a_data[a_s0 * i + 1] + a_data[a_s0 * i + 2];
///     }, a_s0);
ast::NodePtr withShortRows(Context& context, NestPlan& plan, const Elements& elements,
                           ast::NodePtr loops);

}  // namespace hpcc::nests
