// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Loops in parts. hpcc -O3 emits loops over Parts.

#include <hpspmd/index.hpp>

#include <cstdint>

namespace hpspmd::detail {

/// A part of a loop over integers, first .. last: the iteration that others meet, or none of these.
struct Part {
    Index first, last;
    bool meets;
};

/// A loop over first .. last, with what lies before iteration `meets`, that iteration, and what
/// lies behind it, as parts in this order; those that are empty are left out. Example: Parts(2, 0,
/// 9) is 0 .. 1, 2 .. 2, 3 .. 9; Parts(0, 1, 9) is 1 .. 9.
class Parts {
public:
    Parts(Index meets, Index first, Index last) {
        const bool isAny = meets >= first && meets <= last;
        if (isAny) {
            add(first, meets - 1, false);
            add(meets, meets, true);
        }
        if (!isAny || meets < last) add(isAny ? meets + 1 : first, last, false);
    }

    /// The same with that iteration as the last one of the first part: Parts::through(2, 0, 9) is 0
    /// .. 2, 3 .. 9.
    static Parts through(Index meets, Index first, Index last) {
        const bool isAny = meets >= first && meets <= last;
        return {isAny ? meets + 1 : first, first, last, false};
    }

    /// A loop that stores element after element of a row, with what lies in front of the first one
    /// that starts a cache line, and from there on; of a short row all in one part. Stores
    /// across two lines cost more.
    template <class T>
    static Parts byLines(const T* row, Index first, Index last) {
        constexpr std::uintptr_t line = 64;
        constexpr Index longRow = 256;
        const auto place = reinterpret_cast<std::uintptr_t>(row + first) % line;
        const bool isCut = place % sizeof(T) == 0 && place != 0 && last - first >= longRow;
        return {first + (isCut ? static_cast<Index>((line - place) / sizeof(T)) : 0), first, last,
                false};
    }

    const Part* begin() const { return parts_; }
    const Part* end() const { return parts_ + count_; }

private:
    Parts(Index middle, Index first, Index last, bool meets) {
        add(first, middle - 1, meets);
        add(middle, last, meets);
    }
    void add(Index first, Index last, bool meets) {
        if (first <= last) parts_[count_++] = {first, last, meets};
    }

    Part parts_[3];
    int count_ = 0;
};

}  // namespace hpspmd::detail
