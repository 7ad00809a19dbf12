// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// The pass: lets the messages of a writeHalo be under way while the interior of the nest behind it
/// runs, where a measurement at run time says that this pays; then comes what reads ghost cells.
///
///     Adlib::writeHalo(a);
///     { .. if (..) apart([&](const auto &i_run) { .. }, i_run); else overall .. }
/// ->
///     {
///         hpspmd::detail::HaloUnderWay a_halo(a);
///         {
///             ..
///             if (..) {
///                 hpspmd::detail::NestParts i_parts(a_halo, hpspmd::detail::disjoint(b, a),
///                                                   hpspmd::detail::Margin(i_run, 1, 1));
///                 while (i_parts.next()) apart([&](const auto &i_run) { .. }, i_parts[0]);
///             } else {
///                 a_halo.finish();
///                 overall ..
///             }
///         }
///     }
///
/// With kernels `while (..) { const Run &i_run = i_parts[0]; .. }` has what runs on a device or on
/// the host, for the part.
ast::Unit overlap(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
