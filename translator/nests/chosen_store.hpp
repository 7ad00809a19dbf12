// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// One assignment in place of an `if` whose branches assign one and the same place; another
/// statement as it is.
///
///     if (v > 0) s[i, j] = 1; else if (v < 0) s[i, j] = -1; else s[i, j] = -s[i, j];
/// ->
///     s[i, j] = v > 0 ? 1 : v < 0 ? -1 : -s[i, j];
ast::NodePtr chosenStore(Context& context, ast::NodePtr statement);

}  // namespace hpcc::nests
