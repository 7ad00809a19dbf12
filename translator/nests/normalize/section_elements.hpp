// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Puts the elements of an array in the place of those of a section that has a name, as long as it
/// stays the same section:
///
///     double [[-]] v = a[[:, j]];                    overall (i = a.rng(0) for :) a[i, j] /= 2;
///     overall (i = v.rng(0) for :) v[i] /= 2;   ->
///
/// Later passes then see which elements of `a` each iteration of a loop over j reaches.
ast::Unit sectionElements(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
