// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

#include "ast/node.hpp"

namespace hpcc::nests {

/// True if the expression has the same value, to the last bit, with the variables `one` and `other`
/// in each other's place. `a[k, i] * a[k, j]` has: the factors of a product, and what a sum adds,
/// may change places.
bool isSymmetric(ast::NodePtr expression, std::string_view one, std::string_view other);

}  // namespace hpcc::nests
