#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// The pass: adjacent nests over the same elements, with an array in common, get a form in which
/// they are one. Only fast-nests makes use of it: behind the test that nothing in it can fail.
///
///     overall (i = x for :) t[i] = 2 * a[i];
///     overall (i = x for :) b[i] = t[i] + 1;
/// ->
///     if (hpspmd::detail::fused(hpspmd::detail::disjoint(t, b), ..))
///         overall (i = x for :) {
///             t[i] = 2 * a[i];
///             b[i] = t[i] + 1;
///         }
///     else {
///         overall (i = x for :) t[i] = 2 * a[i];
///         overall (i = x for :) b[i] = t[i] + 1;
///     }
///
/// If t is used nowhere else, its elements live in a variable (contraction.hpp). Then loops inside
/// of one nest become one, too (inner_fusion.hpp).
ast::Unit fusion(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
