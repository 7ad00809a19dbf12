// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// The block with a `for` in the place of each `while` behind the declaration of its counter, which
/// its condition or its last statement moves on and nothing behind it names; other numbers may be
/// declared in between:
///
///     int k = n - 1;
///     while (k > i`) { c[i, j] += a[k]; k--; }
/// ->
///     for (int k = n - 1; k > i`; k--) { c[i, j] += a[k]; }
///
/// One that asks at the end of its body has its first iteration in front:
///
///     Index k = 0;
///     do { c[i, k] = a[i, k]; } while (++k < n);
/// ->
///     { const Index k = 0; c[i, k] = a[i, k]; }
///     for (Index k = 0 + 1; k < n; ++k) { c[i, k] = a[i, k]; }
ast::NodePtr withCountedWhiles(Context& context, ast::NodePtr block);

}  // namespace hpcc::nests
