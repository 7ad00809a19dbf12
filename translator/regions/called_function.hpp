// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and lambdas of this program that are called.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ast/node.hpp"
#include "ast/symbol.hpp"

namespace hpcc::regions {

using ast::NodePtr;
using ast::Symbol;

// The one function or lambda that the call runs, by the number and the kinds of its arguments; null
// if that is not certain.
NodePtr functionOf(NodePtr call);

// True of `sums += v` of an object that has a name, by the only member of its class that may be
// meant. It is a call, too.
bool isOperatorCall(NodePtr node);

// What a call gives; v of `sums += v`.
std::span<const NodePtr> argumentsOf(NodePtr call);

// f of f(..), this->f(..), s.f(..), N::f(..)
const Symbol* nameCalled(NodePtr callee);

NodePtr bodyOf(NodePtr function);
std::vector<NodePtr> formalsOf(NodePtr function);

// True if the function, and what it calls, assigns nothing but its own variables, or those and
// what it gets by reference.
bool onlyComputes(NodePtr function);
bool onlyChangesGiven(NodePtr function);

// True of a member that changes one element of a table of its object, and nothing else:
// `++counts[binOf(v)];`
bool onlyChangesTable(NodePtr function);

// True if what it calls may call it again.
bool callsItself(NodePtr function);

// Why its statements cannot stand where it is called; "" if they can.
std::string inTheWay(NodePtr function, bool mayHoldNests);

}  // namespace hpcc::regions
