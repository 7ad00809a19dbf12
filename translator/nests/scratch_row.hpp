// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"
#include "nests/nest.hpp"

namespace hpcc::nests {

/// The nest with the row of a multiarray in the place of a vector that each iteration may have for
/// itself and copies there at its end; null if there is none.
///
///     overall (i = x for :) {                              overall (i = x for :) {
///         std::fill(row.begin(), row.end(), 0.0);              for (j ..) c[i, j] = 0.0;
///         for (k ..) for (j ..) row[j] += a[i, k] * b[k, j];   for (k ..) for (j ..) c[i, j] += ..
///         for (j ..) c[i, j] = row[j];                     }
///     }
///
/// The vector may be longer than what is copied: loops that go over other elements are for whoever
/// makes one loop of them to see.
ast::NodePtr withRowForScratch(Context& context, const Nest& nest);

}  // namespace hpcc::nests
