// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of subtrees: each node stands once in a tree, so what is printed twice is copied.
#pragma once

#include "ast/arena.hpp"

namespace hpcc::ast {

// Fresh nodes of the same shape, annotations included; null gives null.
NodePtr copy(Arena& arena, NodePtr node);

// The same of parsed nodes, as if they had been parsed once more: without annotations.
NodePtr copyWithoutNames(Arena& arena, NodePtr node);

}  // namespace hpcc::ast
