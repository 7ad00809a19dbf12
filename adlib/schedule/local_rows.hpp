// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/reduction.hpp>

#include "plan/local_elements.hpp"

namespace hpspmd::detail {

/// Places of a product of local elements: the operands, then a global index.
constexpr int rowPlaces = Row::places + 1;
constexpr int indexPlace = Row::places;

/// Walks of places that do not move.
inline std::array<plan::Walk, rowPlaces> restingWalks(int rank) {
    std::array<plan::Walk, rowPlaces> walks;
    walks.fill({std::vector<Index>(rank, 0), std::vector<Index>(rank, 0)});
    return walks;
}

/// Calls take(row) for each row of the elements, as addresses in the operands.
template <class Take>
void forEachOperandRow(const plan::Product<rowPlaces>& elements, const Operands& operands,
                       const Take& take) {
    plan::forEachRow(elements, [&](const auto& start, Index count, const auto& step) {
        if (count == 0) return;
        Row row{{}, {}, count, start[indexPlace], step[indexPlace]};
        for (int k = 0; k < operands.count; ++k) {
            const Operand& operand = operands.list[k];
            row.start[k] = static_cast<char*>(operand.data) +
                           start[k] * static_cast<Index>(operand.elementSize);
            row.step[k] = step[k];
        }
        take(row);
    });
}

}  // namespace hpspmd::detail
