// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of any rank become functions of each rank.
#pragma once

#include <optional>
#include <string>

#include "ast/unit.hpp"
#include "diagnostics/engine.hpp"

namespace hpcc::regions {

// Ranks that a function with a pack of slots is written for: 1, 2 .. this.
constexpr int mostRanks = 4;

// The text in which function templates with packs of slots stand once for each rank; nothing if
// there are none. A parsed unit is enough.
//
//     template <class T, class... S>
//     void clear(T [[S...]] a) { overall (v = a for :) a[v] = 0; }
//
// becomes
//
//     template <class T, class S_0> void clear(T [[S_0]] a) { overall (v = a for :) a[v] = 0; }
//     template <class T, class S_0, class S_1> void clear(T [[S_0, S_1]] a) ..
std::optional<std::string> ranksWritten(const ast::Unit& unit, diagnostics::Engine& engine);

}  // namespace hpcc::regions
