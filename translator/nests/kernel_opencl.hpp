// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "nests/nest.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {

/// The first thing of a nest that has a kernel, or of the functions that it calls, which OpenCL C
/// cannot say; without a place if there is none: elements of type `bool`, `2.0L`.
Obstacle notOpenCl(const Nest& nest, const std::vector<ast::NodePtr>& functions,
                   const std::vector<Reduction>& joined);
/// The same of functions alone.
Obstacle notOpenCl(const std::vector<ast::NodePtr>& functions);

}  // namespace hpcc::nests
