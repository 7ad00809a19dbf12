// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with divided arrays become functions whose loops are nests.
#pragma once

#include <optional>
#include <string>

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::regions {

// The text without the attributes dist, reduce, overall, single and sync, and what they ask for
// written out in the language; nothing if it holds none of them. Lines keep their numbers. The unit
// is annotated, but not yet judged.
//
//     void scale([[hpspmd::dist]] double [[*]] a, double s) {
//         for (Index i = 0; i < a.size(0); ++i) a[i] *= s;
//     }
//
// becomes a function that makes `double [[-]] a_part`, its view of a, and runs
// `overall (i = scale_range for 0 : a.size(0) - 1) a_part[i] *= s;`
std::optional<std::string> divided(const ast::Unit& unit, diagnostics::Engine& engine);

// The text in which loops `for (double& x : a)` over arrays of methods count, with a[x_at] in place
// of x; nothing if there are none. Of loops inside of such ones another call is needed.
std::optional<std::string> counted(const ast::Unit& unit);

// The text in which elements are named by their arrays, where methods name them by rows: for
// `double* row = a + i * n;`, a[i * n + j] stands in place of row[j], and for `auto& row = g[i];`
// g[i][j]; nothing if there are none. Of rows of rows another call is needed.
std::optional<std::string> withoutRowNames(const ast::Unit& unit);

// The text in which marked loops name arrays of objects by references before them, `auto& s_a =
// s.a;`, and s_a[i] stands in place of s.a[i]; nothing if there are none.
std::optional<std::string> withNamedMembers(const ast::Unit& unit);

// The text in which loops that may be divided exchange elements by assignments, `{ const auto
// swapped = a[i]; a[i] = b[i]; b[i] = swapped; }` for std::swap(a[i], b[i]); nothing without these.
std::optional<std::string> withoutSwaps(const ast::Unit& unit);

// True if it holds such an attribute.
bool hasAttributes(const ast::Unit& unit);

}  // namespace hpcc::regions
