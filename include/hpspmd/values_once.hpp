// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Values that each row of a nest would compute again, computed once. hpcc -O3 emits these.

#include <hpspmd/create.hpp>

#include <algorithm>

namespace hpspmd::detail {

/// Whether what a loop from `first` to about `bound`, up or down, computes of its counter is kept
/// in an array: not for many iterations, whose values would leave the first cache.
///
///     const ValuesOnce j_once(0, m);
///     if (j_once) {
///         Array<double, Seq> j_values = j_once.array<double>();
///         for (Index j = 0; j < m; ++j) j_values[j] = weight(j);
///         overall (i = x for :)
///             for (Index j = 0; j < m; ++j) c[i, j] *= j_values[j];
///     } else ..                                      // the nest as it is
class ValuesOnce {
public:
    template <class First, class Bound>
    ValuesOnce(First first, Bound bound)
        : least_(std::min(static_cast<Index>(first), static_cast<Index>(bound))),
          end_(std::max(static_cast<Index>(first), static_cast<Index>(bound)) + 1) {}

    /// The same of the locations of a range.
    explicit ValuesOnce(const Range& range) : least_(0), end_(extentOf(range)), range_(range) {}

    explicit operator bool() const { return least_ >= 0 && end_ - least_ > few && end_ <= most; }

    /// Whether quotients are asked for so often, in each of these rows, that it pays to make the
    /// array: that takes what 3072 quotients in packs do, and each of its elements what 16 do (AMD
    /// Zen 5: 200 ns, 1 ns, 0.07 ns).
    bool savesQuotients(const Range& rows) const {
        const Index mine = extentOf(rows) / static_cast<Index>(rows.dim().size());
        return (mine - 16) * (end_ - least_) >= 3072;
    }

    /// An element for each value of the counter, at its place.
    template <class T>
    Array<T, Seq> array(Where where = Where::here()) const {
        return create<T>(Placement(apg(), where), end_);
    }

    template <class T>
    Array<T, Dist> distributed(Where where = Where::here()) const {
        return create<T>(Placement(apg(), where), range_);
    }

private:
    static constexpr Index few = 8, most = 2048;

    Index least_, end_;
    Range range_ = {};
};

}  // namespace hpspmd::detail
