// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::ast {

/// True for `[[hpspmd::independent]] overall ..`: the program promises that no iteration of the
/// nest reads or writes an element that another one writes.
bool isAssertedIndependent(NodePtr statement);

/// What `[[hpspmd::promised(a = wholeArray(a), y = scattered(y, m))]]` says of the arrays of a
/// divided loop: hpcc's own note of what nothing but the program's word says.
struct Promise {
    std::string_view array;  ///< y
    std::string_view made;   ///< scattered(y, m)
};
std::vector<Promise> promisesOf(NodePtr statement);

}  // namespace hpcc::ast
