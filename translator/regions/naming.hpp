// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>

#include "analysis/constant.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// The array is named otherwise than by elements of so many subscripts, and by its sizes; what
// stands in `but` does not count. Then what it is may change, or where its elements lie.
bool isGiven(NodePtr node, const Symbol* array, int levels, const std::set<NodePtr>& but = {});

// The value of a variable, which has no other name, may become another one in it: `s.n = 1` is no
// matter to a variable n.
bool mayChange(NodePtr node, const Symbol* variable);

}  // namespace hpcc::regions
