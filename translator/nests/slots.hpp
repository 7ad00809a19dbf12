// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/nest.hpp"

namespace hpcc::nests {

/// What a subscript inside `innermost`, the innermost loop round it, is made of: `i - 1` of the
/// index i and the shift -1.
Slot distributedSlot(ast::NodePtr subscript, const Loop* innermost);
Slot sequentialSlot(ast::NodePtr subscript, const Loop* innermost);

/// The loop with this variable, from `loop` outwards; null if there is none.
const Loop* enclosing(const Loop* loop, std::string_view variable);

/// Notes the container that an element `w[k]` lies in; false if it is none of numbers side by side.
bool noteContainer(Nest& nest, ast::NodePtr element);

}  // namespace hpcc::nests
