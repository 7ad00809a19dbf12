// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which local variables start without a value.
#pragma once

#include "check/types.hpp"

namespace hpcc::check::flow {

// A null handle when default-constructed: a multiarray, Range, Group, Dimension. Procs2, BlockRange
// are complete from the start.
bool isHandle(const Type* type);

// A number, a truth value or a pointer.
bool isScalar(const Type* type);

// Whether `declarator` declares a local variable that has no value yet: `int n;`, `Range x;`
bool startsUnassigned(NodePtr declaration, NodePtr declarator);

// int &r, auto &&r, [p, q]
bool bindsReference(NodePtr declarator);

}  // namespace hpcc::check::flow
