// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/arena.hpp"

namespace hpcc::lower {

/// The condition under which the body of a `for` runs at all: `0 < n` for
/// `for (int k = 0; k < n; ++k)`. Null if it cannot be told beforehand.
struct LoopGuard {
    bool known = false;
    ast::NodePtr condition = nullptr;  // null although known: the body certainly runs
};

LoopGuard loopGuard(ast::Arena& arena, ast::NodePtr forStatement);

}  // namespace hpcc::lower
