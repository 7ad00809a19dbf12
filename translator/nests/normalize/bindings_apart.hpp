// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// A structured binding to a copy as a variable for each of its names:
///
///     const auto [di, dj] = corner[c];   ->   const auto di = corner[c][0];
///                                             const auto dj = corner[c][1];
///
/// of a row of numbers, or of a struct of numbers. All statements of a block.
ast::NodePtr withBindingsApart(Context& context, ast::NodePtr block);

}  // namespace hpcc::nests
