// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function that is called makes of its arguments.
#pragma once

#include "check/types.hpp"

namespace hpcc::check::halo {

// The expression that a root of the callee's paths stands for at the call; null: itself.
struct Actual {
    NodePtr expression = nullptr;
    bool isOwn = false;     // the caller knows the root by the same name
    bool isObject = false;  // the root is a field of the object `expression`
};

Actual actualOf(const Symbol* root, NodePtr call, NodePtr body);

// Of parameter k: unknown if it is one of `auto... arrays`; void if the body does not name it.
const Type* formalType(NodePtr body, std::size_t k);
NodePtr defaultValue(NodePtr body, std::size_t k);  // null if it has none

// Is a parameter of a class made when the argument is passed? Not if it is a reference to it.
bool isMadeFrom(const Type& formal, NodePtr argument);

}  // namespace hpcc::check::halo
