// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/effects.hpp"

namespace hpcc::pretranslate {

/// True for a member (`x`, `this->x`, `grid.x`) that code with these effects may change by a call
/// of a function that is out of sight. False if the code changes it itself, or by a function in
/// sight.
bool mayBeAssigned(ast::NodePtr member, const ast::Effects& effects);

}  // namespace hpcc::pretranslate
