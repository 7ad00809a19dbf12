// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/edits.hpp"
#include "regions/method.hpp"
#include "regions/parts.hpp"

namespace hpcc::regions {

// The names of a method's object and of its first range.
struct MethodNames {
    std::string object, range;
};

// Of the k-th dimension that is divided.
std::string rangeName(const std::string& range, std::size_t k, const ast::Unit& unit);

// Makes a divided loop a nest, between what is to be done at its entry and exit besides.
void writeNest(const Division& division, const Method& method, const Parts& parts,
               const ast::Unit& unit, const MethodNames& names, Edits& edits, std::string entry,
               std::string exit);

}  // namespace hpcc::regions
