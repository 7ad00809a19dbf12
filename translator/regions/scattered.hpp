// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are changed anywhere in an array without dist: y[row[k]] += e.
#pragma once

#include "regions/method.hpp"

namespace hpcc::regions {

// y[row[k]] of a container that is a parameter.
bool isScattered(NodePtr target, const Arrays& arrays);

// All mentions are these elements in divided loops: what the others have changed, this process
// does not need before it returns.
bool isOnlyScattered(const Method& method, NodePtr node, const Symbol* symbol,
                     std::string_view place);

}  // namespace hpcc::regions
