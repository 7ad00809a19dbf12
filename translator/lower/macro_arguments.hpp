// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// A call of an unknown name may be the use of a macro, where only parentheses protect a comma: an
/// argument that got a bare one by lowering is put in parentheses. `assert(static_cast<double
/// [[*,*]]>(a).valid())` needs them, `assert(a[i, j] > 0)` does not.
ast::NodePtr protectArguments(Context& context, ast::NodePtr original, ast::NodePtr lowered);

}  // namespace hpcc::lower
