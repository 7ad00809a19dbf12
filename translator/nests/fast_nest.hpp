// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/plan.hpp"

namespace hpcc::nests {

/// A nest with its fast form in front: plain loops over local subscripts and element pointers, run
/// if a test at the entry says that each process holds one run of every range, that all accesses
/// are legal, and that the last dimensions have stride 1; else the nest itself runs.
///
///     overall (i = x for 1 : n - 2) b[i] = a[i - 1];
/// ->
///     {
///         const hpspmd::detail::Run i_run(x, 1, n - 2);
///         if (i_run && hpspmd::detail::ready(b, {hpspmd::detail::over(x)}) && ..) {
///             auto *const b_data = b.data();
///             auto *const a_data = a.data();
///             HPSPMD_INDEPENDENT(i)
///             for (hpspmd::Index i = i_run.first; i <= i_run.last; ++i) b_data[i] = a_data[i - 1];
///         } else
///             overall (i = x for 1 : n - 2) b[i] = a[i - 1];
///     }
///
/// With a fold, the fast form adds up the array's sums, if they can begin; else it is as always.
/// What `otherwise` is, if it is not null, stands where the nest itself would.
///
/// Fills the plan of the nest, but for what it stands for, and notes it under what it returns.
ast::NodePtr withFastForm(Context& context, Plans& plans, NestPlan& plan, ast::NodePtr otherwise);

}  // namespace hpcc::nests
