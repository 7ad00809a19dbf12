// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index vectors, which run over all dimensions of an array, become nests.
#pragma once

#include <optional>
#include <string>

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::regions {

// The text in which every header over an array is a header for each of its dimensions; nothing if
// there are none. The unit is annotated.
//
//     overall (v = a for 1 : shape(a) - 2) b[v] = a[v + unit(0)];      // a of rank 2
//
// becomes
//
//     overall (v_0 = a.rng(0) for 1 : a.size(0) - 2, v_1 = a.rng(1) for 1 : a.size(1) - 2)
//         b[v_0, v_1] = a[v_0 + 1, v_1];
//
// Loops over dimensions, `for (int d = 0; d < dim(a); ++d) .. unit(d)`, are written out.
std::optional<std::string> vectorsWritten(const ast::Unit& unit, diagnostics::Engine& engine);

}  // namespace hpcc::regions
