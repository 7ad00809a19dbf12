// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/context.hpp"
#include "lower/threads.hpp"

namespace hpcc::lower {

/// `on (p) S` -> `if (const hpspmd::detail::On p_on{p}) { S }`, and of a target
/// `{ const hpspmd::detail::On t_on{t}; S }`.
ast::NodePtr lowerOn(Context& context, ast::NodePtr on);

/// `at (i = x[n]) S`: an `if` on the location's being held, with the active group and the index i.
ast::NodePtr lowerAt(Context& context, ast::NodePtr at);

/// `overall (i = x for l : u : s) S`: a loop over the local blocks and one over the locations of
/// each. `checks` are the run-time checks that stand at its entry. With a mark, threads divide the
/// locations among them.
ast::NodePtr lowerOverall(Context& context, ast::NodePtr overall, std::vector<ast::NodePtr> checks,
                          const ThreadMark* threads = nullptr);

}  // namespace hpcc::lower
