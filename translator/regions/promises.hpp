// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/method.hpp"

namespace hpcc::regions {

// What only the program's word says of a divided loop, for the check at run time, as the argument
// of an attribute: `a = wholeArray(a), b = wholeArray(b).within(0, 2, 2), y = scattered(y,
// f_method)`. Empty if everything is proved.
//
//     a: no iteration reads an element of it that another one changes;
//     b: it is read so many elements below and above the own one in dimension 0 at most;
//     y: no two parts of a strategy change one element of it.
std::string promisesOf(const Division& division, const Method& method, const std::string& object);

}  // namespace hpcc::regions
