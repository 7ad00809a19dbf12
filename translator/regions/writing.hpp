// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions/edits.hpp"
#include "regions/method.hpp"

namespace hpcc::regions {

// Writes a method whose loops are nests over its divided arrays:
//
//     double [[-,*]] g_part = hpspmd::detail::part<0>(relax_method, g);
//     { hpspmd::detail::refresh<0>(relax_method, g_part, 1, 1);
//       overall (i = relax_range for 1 : (rows - 1) - 1) g_part[i, 3] = g_part[i - 1, 3]; }
//
// Statements between them find the arrays complete. `written` takes the attributes away.
void writeMethod(const Method& method, const ast::Unit& unit, const Edits& written, Edits& edits,
                 diagnostics::Engine& engine);

}  // namespace hpcc::regions
