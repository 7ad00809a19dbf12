// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan/operation.hpp"

namespace hpspmd::detail::plan {

/// What happens to the ghost cells of one dimension. `cyclic`: those beyond the global edge take
/// the elements of the other end, else they are left alone.
struct HaloWidth {
    Index low, high;
    bool cyclic;

    friend bool operator==(const HaloWidth& a, const HaloWidth& b) {
        return a.low == b.low && a.high == b.high && a.cyclic == b.cyclic;
    }
};

/// Equal elements on equal coordinates: same Format, process dimension and alignment; ghost widths
/// do not count.
bool equivalent(const Range& a, const Range& b);

/// to[x..] = from[x..]; any two distributions of one shape.
Operation remap(const Descriptor& to, const Descriptor& from);

/// to[x..] = from[x..] for aligned arrays; its plans are copies only.
Operation copy(const Descriptor& to, const Descriptor& from);

/// to[.., x, ..] = from[.., x + amount, ..] in dimension d of aligned arrays; elements without a
/// source are left alone, unless `cyclic`: then x + amount is taken modulo the extent.
Operation shift(const Descriptor& to, const Descriptor& from, Index amount, int d, bool cyclic);

/// Dimension r of `to` is dimension permutation[r] of `from`.
Operation transpose(const Descriptor& to, const Descriptor& from,
                    const std::vector<int>& permutation);

/// The ghost cells of `array`, corners included, from their owners; one width per dimension, at
/// most the range's extensions.
Operation writeHalo(const Descriptor& array, const std::vector<HaloWidth>& widths);

}  // namespace hpspmd::detail::plan
