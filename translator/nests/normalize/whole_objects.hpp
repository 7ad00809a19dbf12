// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/normalize/objects_apart.hpp"

namespace hpcc::nests {

/// The nest with the members assigned one by one of plain objects that are declared round it:
/// numbers, which later passes give names.
///
///     best = {a[i], i`};      ->      {
///                                         const double best_value_next = a[i];
///                                         const Index best_at_next = i`;
///                                         best.value = best_value_next;
///                                         best.at = best_at_next;
///                                     }
ast::NodePtr withoutWholeObjects(Context& context, NamesMade names, ast::NodePtr nest);

}  // namespace hpcc::nests
