// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>

#include "diagnostics/engine.hpp"
#include "regions/attributes.hpp"

namespace hpcc::regions {

// The numbers declared outside of a statement that it may change, which its process tells the
// others; an error for anything else that it changes (HP2916).
std::set<std::string> toldBySingle(NodePtr statement, diagnostics::Engine& engine);

}  // namespace hpcc::regions
