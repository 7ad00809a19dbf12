// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are sections of others.
#pragma once

#include "analysis/access.hpp"
#include "check/types.hpp"

namespace hpcc::check::halo {

// a[[0, :]], or a handle that is nothing else; null if it is not known to be one.
NodePtr sectionNamed(NodePtr array);

// The subscripts by which an access reaches an element of the array that `section` is of, which may
// be a section itself; empty if these are not known.
//
//     row[j]        0, j           row = a[[0, :]]
//     part[i, k]    i, 2 + 3 k     part = a[[1 : n, 2 : 8 : 3]], of which the second slot is `*`
std::vector<analysis::Subscript> inWholeArray(NodePtr access);

}  // namespace hpcc::check::halo
