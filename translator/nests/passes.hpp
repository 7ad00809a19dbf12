// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

#include "ast/pass.hpp"

namespace hpcc::nests {

/// Passes that bring other spellings of nests into the one that the passes below recognise. They
/// run before it is noted what nests write: pre-translated HPspmd C++ in and out.
std::span<const ast::Pass> normalizations();

/// Passes on whole `overall` nests, while ranges, independence and access sets are still known:
/// pre-translated HPspmd C++ in and out. docs/optimizer.md describes each.
std::span<const ast::Pass> passes();

}  // namespace hpcc::nests
