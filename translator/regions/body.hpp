// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/loop.hpp"
#include "regions/arrays.hpp"

namespace hpcc::regions {

// a[i - 1, j] of a divided array, or a[i - 1][j].
struct Access {
    NodePtr node = nullptr;  // the Subscript, of several the last one
    const DividedArray* array = nullptr;
    bool isWrite = false;

    NodePtr first() const;      // the Subscript next to the name
    NodePtr subscript() const;  // of the dimension that is divided
    std::vector<NodePtr> subscripts() const;
};

using Arrays = std::map<const Symbol*, DividedArray>;

// The element of one of the arrays that a Subscript is; nothing if it is none, or a row.
std::optional<Access> accessOf(NodePtr subscript, const Arrays& arrays, bool isWrite = false);
using Operations = std::map<const Symbol*, const Operation*>;

// What the body of a loop does, if it does nothing but compute numbers and change elements.
struct Body {
    std::vector<Access> accesses;
    std::set<const Symbol*> counters;  // declared outside, of loops inside
    Operations combined;               // numbers that operations of reduce change
    std::set<std::string> others;      // what else it reads that may be memory of an array
    NodePtr obstacle = nullptr;        // the first thing that is not understood,
    std::string reason;                // and why
};

Body readBody(NodePtr loop, NodePtr function, const Arrays& arrays, const Operations& operations);

}  // namespace hpcc::regions
