// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>

#include "nests/elements.hpp"
#include "nests/varying.hpp"

namespace hpcc::nests {

/// An array of which each iteration of a loop that runs in lanes has a row for itself, `c[i, k]` of
/// `overall (i = ..)`. Several rows are copied, to packs with an element of each, and back.
struct LaneRow {
    std::string name;
    const Access* access = nullptr;  // the first
    size_t along = 0;                // its dimension with the index of the loop
    bool isWritten = false;
};

/// By the arrays.
std::map<size_t, LaneRow> laneRows(Context& context, const Nest& nest, const Loop& loop,
                                   const Varying& varying, const Elements& elements);

/// Where to copy rows to packs and back costs little beside what the iterations compute.
enum class LaneWorth { Never, InCache, Always };
LaneWorth worthOfRows(const Loop& loop, const std::map<size_t, LaneRow>& rows);

/// How many elements of such a row, from 0 on, an iteration surely writes before it reads any, so
/// that a row as long as that need not be copied to packs; null if that is not known.
ast::NodePtr lengthWrittenFirst(const Nest& nest, const Loop& loop, const LaneRow& row);

}  // namespace hpcc::nests
