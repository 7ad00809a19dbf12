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

using Arrays = std::map<const Symbol*, DividedArray, ByName>;

// The name that elements are reached by: `v` of v[i][j].
NodePtr rootOf(NodePtr subscript);

// The element of one of the arrays that a Subscript is; nothing if it is none, or a row.
std::optional<Access> accessOf(NodePtr subscript, const Arrays& arrays, bool isWrite = false);
using Operations = std::map<const Symbol*, Operation, ByName>;

// What a loop makes of a variable that `reduce` names.
struct Combined {
    Operation operation;
    bool isFree = false;  // by any statements, rather than by the operation alone
    struct Taken {
        NodePtr assign, value;  // v = f(v, value)
    };
    std::vector<Taken> taken;
};

// What the body of a loop does, if it does nothing but compute numbers and change elements.
struct Body {
    std::vector<Access> accesses;
    std::set<const Symbol*> counters;  // declared outside, of loops inside
    std::map<const Symbol*, Combined, ByName> combined;
    std::map<std::string, NodePtr> others;  // what else it reads that may be memory of an array
    NodePtr obstacle = nullptr;             // the first thing that is not understood,
    std::string reason;                     // and why
    // Where a variable of reduce is used otherwise than by its operation.
    std::map<const Symbol*, NodePtr, ByName> misused;
    // Containers without dist, of which it changes elements that a subscript names: their only one.
    std::map<const Symbol*, NodePtr, ByName> scattered;
};

struct Wanted {
    NodePtr function = nullptr;
    const Arrays& arrays;
    const Operations& operations;  // of reduce, around the loop
    bool isPromised = false;       // [[hpspmd::overall]]
    bool mayScatter = false;       // a strategy of the program keeps processes apart
    bool isMarked = false;         // [[hpspmd::overall]] outside of methods
};

Body readBody(NodePtr loop, const Wanted& wanted);

// Values of types T of a template, which are taken for numbers: the names of these types.
std::set<std::string> assumedNumbers(NodePtr node);

// Index(i), T(2)
bool isConversion(NodePtr call);

// std::numeric_limits<double>::max
bool isLimit(NodePtr callee);

// The call is of a function in sight that takes numbers and changes nothing but its own.
bool computesOnly(NodePtr call);

}  // namespace hpcc::regions
