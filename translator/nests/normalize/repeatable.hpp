// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::nests {

/// True if an expression may be evaluated again, later in its statement, or not at all: it reads
/// numbers and elements, computes, and asks no operator of a class.
bool isRepeatable(ast::NodePtr expression);

}  // namespace hpcc::nests
