// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Generated calls of the operations that move elements, and what memory must look like after them.

#include <adlib/write_halo.hpp>

#include "generated.hpp"
#include "plan/operations.hpp"
#include "plan/skew.hpp"

namespace hpspmd::test {

using Memory = std::vector<std::int64_t>;

/// Slots that are no element of the source; nobody may read them.
constexpr std::int64_t poison = -1;
/// Slots of the destination that nobody may write, or have not been written yet.
constexpr std::int64_t untouched = -2;

/// Each slot times `factor`, modulo 2^64: other arrays with the same descriptors.
inline Memory times(std::int64_t factor, Memory memory) {
    for (std::int64_t& slot : memory)
        slot = static_cast<std::int64_t>(static_cast<std::uint64_t>(slot) *
                                         static_cast<std::uint64_t>(factor));
    return memory;
}

/// One call.
struct MoveCase {
    enum Kind { Remap, Copy, Shift, Cshift, WriteHalo, Transpose, Skew, Cskew };

    Kind kind;
    Indices shape;
    TestArray to, from;  ///< the same array for WriteHalo
    Index amount = 0;
    int d = 0;
    TestArray amounts;  ///< of Skew and Cskew
    std::vector<int> low, high;
    std::vector<int> permutation;
    Indices fromShape;  ///< that of the source: permuted for Transpose
    std::vector<Adlib::Mode> modes;

    detail::plan::Plan plan(int process) const;
    /// The amounts of a skew.
    Index amountAt(const Indices& line) const;
    Memory amountsOn(int process) const;
    /// Memory before the call.
    Memory source(int process) const;
    Memory destination(int process) const;
    /// Memory of the destination after it.
    Memory expected(int process) const;
    /// "6 processes: remap [[..]] from [[..]]".
    std::string text;
    std::uint64_t seed = 0;  ///< of the amounts

    bool isSkew() const { return kind == Skew || kind == Cskew; }
    bool isCyclic() const { return kind == Cshift || kind == Cskew; }
};

/// Under an APG of `processes` processes.
MoveCase makeMoveCase(Random& random, int processes);

}  // namespace hpspmd::test
