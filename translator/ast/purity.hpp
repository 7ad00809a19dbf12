// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which expressions may be written several times, or evaluated earlier, without a difference.
#pragma once

#include "ast/node.hpp"

namespace hpcc::ast {

// `node` without the parentheses round it.
NodePtr withoutParentheses(NodePtr node);

// A simple expression (thesis, 4.4, definition 2): a name, `this`, or members of these (`f.u`,
// `this->u`). Cheap and without effect, so a schema may write it several times.
bool isSimple(NodePtr expression);

// n of `int(n)`, `(int)n`, `static_cast<int>(n)` and `Index(n)`, which make one number of another
// value; null if the expression is no such conversion.
NodePtr convertedToNumber(NodePtr expression);

// Built from names, literals, arithmetic, conversions to numbers, inquiries (`a.rng(0)`,
// `p.dim(1)`, `x.size()`) and sections: no effect, and the same value as long as no name in it is
// assigned.
bool isPure(NodePtr expression);

// True if it may be evaluated where the program perhaps does not: it follows no pointer but `this`,
// and divides integers by nothing that might be zero. Calls are not looked into.
bool isSafe(NodePtr expression);

// `&&`, `||` and their words: the right side of `binary` may not be evaluated.
bool isShortCircuit(NodePtr binary);

}  // namespace hpcc::ast
