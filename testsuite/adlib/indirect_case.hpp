// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Generated calls of gather and scatter, and what memory must look like after them.

#include "generated.hpp"
#include "move_case.hpp"
#include "plan/indirect.hpp"

namespace hpspmd::test {

/// One call. The arrays over x are `walked` (the destination of a gather, the source of a scatter),
/// the subscripts and the mask; the other array is `indexed`.
struct IndirectCase {
    enum Kind { Gather, Scatter, Combine };

    Kind kind;
    Indices shape, indexedShape;
    TestArray walked, indexed;
    TestArray subscripts;  ///< the layout of all of them, and of the mask
    bool isMasked = false;
    std::uint64_t seed = 0;  ///< of subscripts and mask
    std::string text;

    bool isGather() const { return kind == Gather; }
    const TestArray& to() const { return isGather() ? walked : indexed; }
    const TestArray& from() const { return isGather() ? indexed : walked; }

    /// The subscript for dimension r at x, and whether the mask lets x take part.
    Index subscriptAt(const Indices& x, int r) const;
    bool takes(const Indices& x) const;

    Memory subscriptsOn(int process, int r) const;
    std::vector<char> maskOn(int process) const;
    Memory source(int process) const;
    /// What the destination holds before the call.
    Memory destination(int process) const;
    Memory expected(int process) const;

    /// An operation that is neither associative nor commutative, so that the order shows; modulo
    /// 2^64.
    static std::int64_t combine(std::int64_t old, std::int64_t value) {
        return static_cast<std::int64_t>(3 * static_cast<std::uint64_t>(old) +
                                         static_cast<std::uint64_t>(value));
    }
};

/// Under an APG of `processes` processes.
IndirectCase makeIndirectCase(Random& random, int processes);

}  // namespace hpspmd::test
