// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "nests/context.hpp"

namespace hpcc::nests {

/// A unit with `changed` for its declaration k, and these lines in front of it: on lines of their
/// own, though others may share its line, and before macros, which are no part of it.
///
///     } INLINE void f(..)  // program
///     }
///     #include <hpspmd/device/kernel.hpp>
///     INLINE void f(..)
ast::NodePtr withTextsInFront(Context& context, ast::NodePtr unit, size_t k, ast::NodePtr changed,
                              const std::vector<std::string>& lines);

}  // namespace hpcc::nests
