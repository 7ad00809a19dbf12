// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comments and directives, which stand between the nodes: in text that a schema does not copy.
#pragma once

#include "ast/arena.hpp"

#include <vector>

namespace hpcc::ast {

// The comments between two nodes as a statement to be put somewhere else; null if there are none.
// `gap` holds nothing but comments, white space and punctuation.
NodePtr commentsIn(Arena& arena, source::Span gap);

// The comments between the parsed forms of two neighbours: "for :) // every row" and "a[i] = 0;".
NodePtr commentsBetween(Arena& arena, NodePtr left, NodePtr right);

// All comments inside a node, in order, for a pass that copies its parts without them.
std::vector<NodePtr> commentsInside(Arena& arena, NodePtr node);

// True if a text holds a line of the preprocessor.
bool holdsDirective(std::string_view text);

}  // namespace hpcc::ast
