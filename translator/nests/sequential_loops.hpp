// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// The question that loops outside of nests ask before all others, if they may have a fast form:
/// that they have more to do than to ask. Null if they may not: they are counting loops in one
/// another that do nothing but compute elements of arrays which the process has for itself.
///
///     for (Index k = 0; k < n; ++k)
///         for (Index j = 0; j < n; ++j) d[k, j] = a[k, j] - b[k, j];
///
/// asks `double(n) * double(n) >= 64`.
ast::NodePtr worthOfSequential(Context& context, const Nest& nest);

}  // namespace hpcc::nests
