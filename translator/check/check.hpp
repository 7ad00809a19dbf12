// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, types and the rules of the language.
#pragma once

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::check {

/// Annotates the unit (annotate.hpp) and reports what breaks the rules. Functions that use no
/// extension are not diagnosed. Sets unit.hasExtensions if only the types tell that the text uses
/// one: `rows[k][i, 2]` where `rows` comes from an imported header.
///
///     a[3] = 0;    // error HP2201: slot 0 of 'a' is distributed and takes a distributed index
void check(ast::Unit& unit, diagnostics::Engine& engine);

/// Every expression of the unit has a type (perhaps unknown), which later stages rely on.
bool isChecked(const ast::Unit& unit);

}  // namespace hpcc::check
