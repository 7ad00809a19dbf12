// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/quote.hpp"
#include "ast/unit.hpp"

namespace hpcc::nests {

/// Puts a value into the statement behind it, if that alone reads it, where it stands: then no
/// array is made, and no ghost cell of it is sent.
///
///     const double [[-,-]] b = Adlib::genarray(overall (i = x for :, j = y for :) 2 * c[i, j]);
///     a = Adlib::modarray(a, overall (k = x for 1 : n - 2, l = y for :) b[k, l] + a[k - 1, l]);
/// ->
///     a = Adlib::modarray(a, overall (k = x for 1 : n - 2, l = y for :)
///                                (2 * c[k, l]) + a[k - 1, l]);
ast::Unit folding(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
