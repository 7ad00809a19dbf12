// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// Adjacent loops inside of a nest that go over the same values become one, if temporaries between
/// them vanish: of the whole nest there is a second form, as of nests that run together.
///
///     overall (i = x for :) {                          overall (i = x for :)
///         overall (j = y for :) t[i, j] = 2 * a[i, j];     overall (j = y for :) {
///         overall (j = y for :) b[i, j] = t[i, j] + 1; ->      double t_value;
///     }                                                        t_value = 2 * a[i, j];
///                                                              b[i, j] = t_value + 1;
///                                                          }
ast::Unit innerFusion(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
