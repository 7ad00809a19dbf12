// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Row, elements that a reduction takes up at once, and the only row of a process alone.

#include <adlib/alone.hpp>

#include <array>

namespace hpspmd::detail {

/// Some elements that follow each other with constant steps, in up to four arrays at once.
struct Row {
    static constexpr int places = 4;

    std::array<char*, places> start;
    std::array<Index, places> step;  ///< in elements
    Index count;
    Index index,
        indexStep;  ///< position in the row-major order of the global indices, if asked for

    template <class T>
    T& at(int place, Index t) const {
        return reinterpret_cast<T*>(start[place])[t * step[place]];
    }
};

using TakeRow = void (*)(void* state, const Row& row);

/// Aligned arrays of rank 1 as the only row that a process alone takes up. False of others, which
/// the compiled library takes up.
template <class A, class... More>
bool isRowAlone(Row& row, const A& first, const More&... more) noexcept {
    if constexpr (A::rank() == 1 && ((More::rank() == 1) && ...)) {
        std::size_t place = 0;
        const auto takes = [&](const auto& array) {
            const auto held = heldRow(array);
            using T = std::remove_const_t<std::remove_pointer_t<decltype(held.start)>>;
            row.start[place] = reinterpret_cast<char*>(const_cast<T*>(held.start));
            row.step[place++] = held.step;
            row.count = held.count;
            return held.start != nullptr && array.groupRecord() == first.groupRecord() &&
                   array.maps()[0].range == first.maps()[0].range;
        };
        row.index = 0;
        row.indexStep = 1;
        return takes(first) && (takes(more) && ...);
    } else {
        return false;
    }
}

}  // namespace hpspmd::detail
