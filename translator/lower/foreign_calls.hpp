// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/unit.hpp"

namespace hpcc::lower {

/// May a call of the unit fill ghost cells without the library's knowledge? So does a function that
/// is declared `[[hpspmd::refreshes(a)]]`, and perhaps one that no declaration in sight names:
/// plain C++, which may reach the elements by data().
bool mayFillUnseen(const ast::Unit& unit, ast::NodePtr call);

}  // namespace hpcc::lower
