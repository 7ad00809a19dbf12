// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ast/pass.hpp"

namespace hpcc::nests {

/// The pass, where nests may run on devices: before a statement outside of nests that accesses
/// elements stands the question where they are; where it may let a nest run itself, the question
/// stands before each access.
///
///     for (int k = 0; k < n; ++k) sum += total[k];
/// ->
///     hpspmd::detail::atHome({hpspmd::detail::reads(total)});
///     for (int k = 0; k < n; ++k) sum += total[k];
///
/// An array of which an address is taken stays at home. A `try` block begins with `const
/// hpspmd::detail::Tried tried;`, so that it catches what kernels find that nobody waits for.
ast::Unit askAtHome(ast::Unit unit, ast::Quoter& quote);

}  // namespace hpcc::nests
