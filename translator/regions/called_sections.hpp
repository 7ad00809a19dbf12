// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections as arguments: `line[k]` of a parameter that is `a[[i, :]]` is a[i, k].
#pragma once

#include <string>

#include "regions/called_code.hpp"

namespace hpcc::regions {

// A subscript of an array of parameters, or a question for a size, that called code uses.
struct SectionUse {
    NodePtr name = nullptr;        // the parameter
    NodePtr subscripts = nullptr;  // of an element
    NodePtr dimension = nullptr;   // of `line.size(0)`
};
SectionUse sectionUseOf(NodePtr node);

// Why the elements of the section cannot stand for those of the parameter; "" if they can.
std::string sectionInTheWay(const CalledCode& code, const Given& given);

// 1 of `line.size(0)`, where it is a[[i, :]].
std::size_t dimensionInArray(NodePtr section, std::size_t dimension);

}  // namespace hpcc::regions
