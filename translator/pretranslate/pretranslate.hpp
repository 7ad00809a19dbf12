// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::pretranslate {

/// Full language -> restricted form, still HPspmd C++ (thesis, 4.4):
///
///     double [[-]] a = f(), b;                    double [[-]] a = f();
///                                                 double [[-]] b;
///     overall (i = a.rng(0) for :, j = y for :)   {
///         S                                           const hpspmd::Range i_range = a.rng(0);
///                                                     overall (i = i_range for :)
///                                                         overall (j = y for :)
///                                                             S
///                                                 }
///
/// The order of evaluation stays that of C++: nothing leaves a condition, a loop or its header.
ast::Unit pretranslate(ast::Unit unit, ast::Quoter& quote);

/// True for what pretranslate returns: single declarators, single headers, simple ranges.
bool isPretranslated(const ast::Unit& unit);

}  // namespace hpcc::pretranslate
