// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a loop, as texts in its nest.
#pragma once

#include <string>

#include "regions/decision.hpp"

namespace hpcc::regions {

// `i + 2`
std::string shifted(const std::string& text, long by);

// An integer of the width of locations: an empty loop stays empty.
std::string bound(NodePtr node);

// The variable as the number that it was.
std::string value(const Division& division);

}  // namespace hpcc::regions
