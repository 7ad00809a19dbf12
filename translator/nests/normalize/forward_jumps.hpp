// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// The nest with `continue` and `break` in place of `goto` that goes on further down in a block:
///
///     for (..) {                                   for (..) {
///         for (int k = 0; k < n; ++k)                  bool next_left = false;
///             if (a[i, k] < 0) goto next;     ->       for (int k = 0; k < n; ++k)
///         b[i] = 1;                                        if (a[i, k] < 0) { next_left = true;
///         break; }
///     next:;                                           if (next_left) continue;
///     }                                                b[i] = 1;
///                                                  }
///
/// Jumps that go back, into a block or out of a `switch`, and labels that others use, stay.
ast::NodePtr withoutForwardJumps(Context& context, ast::NodePtr nest);

}  // namespace hpcc::nests
