// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifted subscripts, and the ghost cells that they need, as far as the program's text shows them.
#pragma once

#include "check/types.hpp"

#include <optional>

namespace hpcc::check {

// i - 2: below, 2 cells.   i + k: not exact.
struct Shift {
    bool isBelow = false;
    int width = 0;
    bool isExact = false;  // the distance is a constant, and counts neighbours in the array

    int distance() const { return isBelow ? -width : width; }
};

Shift shiftOf(NodePtr subscript);

// The ghost cells of one dimension of an array.
struct GhostCells {
    std::optional<long long> below, above;
    NodePtr range = nullptr;  // where they are declared
    std::string_view format;  // of the range, if it is one without ghost cells: "BlockRange"
};

GhostCells ghostCells(NodePtr array, std::size_t r);

}  // namespace hpcc::check
