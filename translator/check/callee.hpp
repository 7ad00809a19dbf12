// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call calls, as far as the program shows it.
#pragma once

#include "check/types.hpp"

#include <string>
#include <vector>

namespace hpcc::check {

// The declarations that a call may mean: functions, methods, lambdas, constructors of this program.
// Empty if any of them is out of sight.
std::vector<const Type*> candidates(NodePtr call);

// Those of a constructor call `C c(..)`, `C{..}`, given C.
std::vector<const Type*> constructors(const Type* classType);

// f of f(..), a.f(..), p->f(..), given what stands before the parentheses.
NodePtr calledName(NodePtr callee);

bool acceptsCount(const Type& function, std::size_t count);

// Whether argument k is a number for every function that the call may mean.
bool takesNumber(NodePtr call, std::size_t k);

// The name of the function of Adlib that is called; empty if it is none of those.
std::string adlibCallee(NodePtr call);

// Adlib::gprintln, std::printf and the like.
bool printsArguments(NodePtr call);

std::string calleeName(NodePtr call);

// The declared result of the innermost function or lambda around a place; null if it is deduced.
const Type* resultAround(const std::vector<NodePtr>& path);
std::string functionAround(const std::vector<NodePtr>& path);  // its name; "lambda"

}  // namespace hpcc::check
