// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/context.hpp"

namespace hpcc::nests {

/// A statement that asks std::accumulate or std::inner_product for sums of elements of containers,
/// behind the loops that compute these:
///
///     b[i] = 2 * std::accumulate(v.begin(), v.end(), 0.0);
///         double v_sum = 0.0;
///         for (std::size_t v_k = 0; v_k < v.size(); ++v_k) v_sum = v_sum + v[v_k];
///         b[i] = 2 * v_sum;
///
/// It stays as it is, alone, where nothing is asked, or not in each case, or where it does more
/// than compute and assign one variable or element.
std::vector<ast::NodePtr> withSumsInFront(Context& context, ast::FreshNames::Counts& counts,
                                          ast::NodePtr statement);

}  // namespace hpcc::nests
