// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of classes of the program that only their members may name.
#pragma once

#include <map>

#include "ast/node.hpp"
#include "ast/symbol.hpp"
#include "regions/called_code.hpp"

namespace hpcc::regions {

// And their classes.
using HiddenFields = std::map<const ast::Symbol*, const ast::Symbol*>;

// Adds those of the class of its object that a called member names, so that what it does cannot
// stand where it is called; true if there are some. The fields of a class without a constructor
// stay as they are: with all of them open, `C{e}` would mean something else.
//
//     class Field {
//     public:
//         explicit Field(Range x);
//         double at(DistributedIndex i) const { return a_[i]; }
//     private:
//         double [[-]] a_;
//     };
bool noteHidden(const CalledCode& code, ast::NodePtr call, HiddenFields& hidden);

}  // namespace hpcc::regions
