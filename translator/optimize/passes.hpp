// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

#include "ast/pass.hpp"

namespace hpcc::optimize {

/// Passes on lowered code, plain C++ in and out: the thesis's unrolling, hoisting, partial
/// redundancy elimination, strength reduction, dead code elimination.
std::span<const ast::Pass> passes();

}  // namespace hpcc::optimize
