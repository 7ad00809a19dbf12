// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A verifier of what passes leave.
#pragma once

#include "ast/unit.hpp"

namespace hpcc::testing {

/// A name that hpcc has made and that no function declares where it stands; null if there is none.
ast::NodePtr undeclaredName(const ast::Unit& unit);

}  // namespace hpcc::testing
