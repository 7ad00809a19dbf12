// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"

namespace hpcc::lower {

/// `new T [[x, 10]] on g` -> `hpspmd::create<T>(g, x, 10)`; without `on`, on the active group.
ast::NodePtr lowerCreation(Context& context, ast::NodePtr creation);

}  // namespace hpcc::lower
