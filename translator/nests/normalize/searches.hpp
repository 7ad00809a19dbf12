// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// The block with loops in front of statements that ask for the place or the value of the least or
/// largest element of a short array:
///
///     nearest[i] = int(std::min_element(d, d + 4) - d);
///
///         hpspmd::Index d_at = 0;
///         double d_found = d[0];
///         for (hpspmd::Index d_k = 1; d_k < 4; ++d_k)
///             if (d[d_k] < d_found) { d_found = d[d_k]; d_at = d_k; }
///         nearest[i] = int(d_at);
ast::NodePtr withoutSearches(Context& context, ast::FreshNames::Counts& counts, ast::NodePtr block);

}  // namespace hpcc::nests
