// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// The pass: finds adjacent nests over the same elements, with an array in common, that can be one,
/// and notes that one beside the tree (Plans::groups), which stays as it is. Its fast form may
/// stand for them, behind the test that nothing in it can fail.
///
///     overall (i = x for :) t[i] = 2 * a[i];        overall (i = x for :) {
///     overall (i = x for :) b[i] = t[i] + 1;   ->       t[i] = 2 * a[i];
///                                                       b[i] = t[i] + 1;
///                                                   }
///
/// If t is used nowhere else, its elements live in a variable (contraction.hpp). Then loops inside
/// of one nest become one, too (inner_fusion.hpp).
ast::Unit fusion(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
