// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text cut into its outermost declarations, which the stages behind check take one by one: a tree
// of that size stays in the processor's caches, and its memory serves for the next one.
#pragma once

#include <vector>

#include "ast/arena.hpp"

namespace hpcc::ast {

// Translation units of one declaration each, with the text in front of it; the last one with the
// text behind it too. Printed one after the other they are the text of `unit`, a parsed
// TranslationUnit.
std::vector<NodePtr> piecesOf(Arena& arena, NodePtr unit);

}  // namespace hpcc::ast
