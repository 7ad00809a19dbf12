// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of the program that runs although no call is written.
#pragma once

#include "check/types.hpp"

namespace hpcc::check::flow {

// True if code of the program may run when values of this type are made, copied, converted or
// destroyed. False for numbers, arrays, pointers and the libraries' classes, and for classes in
// sight that declare no such functions and hold no such values. True for types that are not known.
// Of a reference: when it is bound to a value that is made for it.
bool mayRunCode(const Type* type);

// .. when values of this type are operands: `halo << a`, `++halo`, `fields[k]`.
bool mayHaveOperators(const Type* type);

bool isStandardClass(const Type* type);  // std::vector<T>, std::optional<T> .. of those known

// True if a value of this type may turn into one of another type by a function of its class.
bool mayConvert(const Type* type);

// True if code of the program perhaps runs where the object ends that a declarator declares. A
// reference may keep a temporary alive.
bool mayEndWithCode(NodePtr declaration, NodePtr declarator);

// .. where a loop over `range` ends: for (auto& each : made())
bool mayEndLoopWithCode(NodePtr range);

}  // namespace hpcc::check::flow
