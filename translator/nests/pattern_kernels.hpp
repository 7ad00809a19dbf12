// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// Gives the functions of patterns (hpspmd/patterns.hpp) along with their texts for devices, of
/// which the library makes a kernel for a whole chain when the program runs.
///
///     map([alpha](float x) { return alpha * x; })
///
///     HPSPMD_STAGE(saxpy_4_18, nullptr, (static float saxpy_4_18_each(float x, float alpha)
///         { return alpha * x; }), saxpy_4_18_each)
///     map(hpspmd::patterns::detail::withKernel<&hpspmd::kernels::saxpy_4_18_each>(
///         hpspmd::kernels::saxpy_4_18, [alpha](float x) { return alpha * x; },
///         [alpha] { return std::make_tuple(alpha); }))
ast::Unit patternKernels(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
