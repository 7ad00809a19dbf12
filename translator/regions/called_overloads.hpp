// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which one of several functions a call runs; objects of the program's classes that are called.
#pragma once

#include "ast/node.hpp"
#include "ast/symbol.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// u of `u(i, j)` and f.u of `f.u(i, j)`, of a class of the program; null of others.
NodePtr objectCalled(NodePtr call);

struct Overload {
    NodePtr function = nullptr;  // null if it is not certain
    // Perhaps the call runs another member, which gives the same as a value: that of an object that
    // is constant.
    bool mayGiveValue = false;
};

// By the number and the kinds of the arguments, and by what the object is.
//
//     double &operator()(DistributedIndex i) { return a_[i]; }
//     double operator()(DistributedIndex i) const { return a_[i]; }
Overload overloadOf(NodePtr call);

}  // namespace hpcc::regions
