// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/nest.hpp"

namespace hpcc::nests {

/// The largest floating-point expressions in the body of a counting loop or `overall` that are the
/// same in all iterations of the nest with one value of the counter, take longer than to load a
/// number, and may be evaluated where the program does not: calls of functions that only compute,
/// which divide integers or take an exponential, say; or quotients of elements at the counter,
/// `r[j] / norm`, if these are there and the nest does not write them by another name.
std::vector<ast::NodePtr> costlyValuesOfCounter(const Nest& nest, const Loop& loop);

}  // namespace hpcc::nests
