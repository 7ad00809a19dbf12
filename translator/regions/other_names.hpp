// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "regions/method.hpp"

namespace hpcc::regions {

// Where an array, or one of its elements, gets a second name.
struct OtherName {
    NodePtr place = nullptr;
    std::string name;                // of the array
    const Symbol* symbol = nullptr;  // that is declared, if one is
};
std::vector<OtherName> otherNames(NodePtr body, const Arrays& arrays);

// What to write instead of `auto& e = b[i];` and `auto& [x, v] = b[i];`; empty for others.
std::string insteadOf(const OtherName& other);

}  // namespace hpcc::regions
