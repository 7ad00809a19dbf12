// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/node.hpp"

namespace hpcc::analysis {

/// True if the C++ compiler probably knows the integer, though we may not: it is computed of
/// literals, template parameters, members of those (`Weights::radius`), and constants that are
/// initialized by such (`constexpr int r = int(n) / 2;`). What relies on it asks the C++ compiler,
/// too: `__builtin_constant_p(r)`.
bool isOfCompileTime(ast::NodePtr e);

}  // namespace hpcc::analysis
