// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>

#include "nests/context.hpp"

namespace hpcc::nests {

/// The longest array that is put in order step by step.
inline constexpr long long longestSorted = 16;

/// Statements that put the elements of an array of numbers in order, from the least on, or from the
/// largest on, in the same steps for all values (Batcher's odd-even merge sort), so that several
/// iterations of a nest do so at once:
///
///     {
///         const double v_a = v[0], v_b = v[1];
///         v[0] = v_b < v_a ? v_b : v_a;
///         v[1] = v_b < v_a ? v_a : v_b;
///     }
///     ..
ast::NodePtr sortedElements(Context& context, ast::FreshNames::Counts& counts,
                            ast::NodePtr container, const ast::Type* number, long long length,
                            bool fromLargest);

}  // namespace hpcc::nests
