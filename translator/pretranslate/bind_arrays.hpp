// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/fresh_names.hpp"
#include "ast/quote.hpp"

namespace hpcc::pretranslate {

/// Members that a nest names, and that a function which it calls might let stand for other arrays,
/// are copied at its entry. Behind the nest they must still be the same:
///
///     overall (i = x for :) u[i] = f(u[i]);
///     ->
///     {
///         const auto u_here = u;
///         overall (i = x for :) u_here[i] = f(u_here[i]);
///         hpspmd::detail::checkSame(u, u_here, "u");
///     }
///
/// So what is checked of them is checked once. A nest that assigns such a member itself keeps it.
ast::NodePtr bindArrays(ast::Arena& arena, ast::Quoter& quote, const ast::FreshNames& names,
                        ast::NodePtr root);

}  // namespace hpcc::pretranslate
