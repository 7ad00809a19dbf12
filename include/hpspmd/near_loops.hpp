// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Rows that read others at distances which short loops count. hpcc -O3 emits calls of
/// eachOfLoops().

#include <hpspmd/rows.hpp>

namespace hpspmd::detail {

/// True if loops between each two of these bounds are so short that they are written out.
template <class... Rest>
constexpr bool areShort(Index first, Index end, Rest... rest) {
    constexpr Index most = 15;
    const bool is = end - first <= most && first - end <= most;
    if constexpr (sizeof...(Rest) == 0)
        return is;
    else
        return is && areShort(rest...);
}

/// eachOfRow() of a body that reads at(p, d) at distances that loops count; of short ones it is
/// eachOfStencil().
template <bool isInPlace, bool isShort, class Row, class Body>
[[gnu::always_inline]] inline void eachOfLoops(Row row, Index first, Index last, const Body& body) {
    if constexpr (isShort)
        eachOfStencil<isInPlace>(row, first, last, body);
    else
        eachOfRow<isInPlace>(row, first, last, body);
}

}  // namespace hpspmd::detail
