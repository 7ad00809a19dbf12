// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums along a dimension that a nest adds up itself, instead of storing the elements. hpcc -O3
/// emits these.

#include <adlib/dimension_reduction.hpp>
#include <hpspmd/threads.hpp>

#include <atomic>
#include <deque>
#include <vector>

namespace hpspmd::detail {

/// The sums over this process's elements of an array of two dimensions along the first, distributed
/// one, added in the order of sumDim().
///
///     FoldedSums products_sums;
///     if (.. && products_sums.begin(products, n * n)) {
///         for (i ..) for (j = 0; j < n * n; ++j) products_sums.data()[j] += a[i, j] * b[i, j];
///     } else ..                                    // stores products[i, j]
///     sumDim(total, products, 0, products_sums);   // adds up the elements if it did not begin
class FoldedSums {
public:
    /// Starts with zeros, if the array has `extent` columns, all of which are going to be added,
    /// and sums may be added in the usual order: that of a single column is another one.
    template <class A>
    bool begin(const A& array, Index extent) {
        hasBegun_ =
            extent > 1 && array.valid() && array.size(1) == extent && usualOrder() != Order::None;
        if (hasBegun_) sums_.assign(static_cast<std::size_t>(extent), 0.0);
        others_.clear();
        return hasBegun_;
    }

    /// Where to add; each thread of a nest has its own place.
    /// the nest if it sees how much memory there is.
    double* data() {
        if (threadNumber == 0) return sums_.data();
        while (isBusy_.test_and_set(std::memory_order_acquire)) {
        }
        while (others_.size() < static_cast<std::size_t>(threadNumber)) others_.emplace_back();
        std::vector<double>& own = others_[static_cast<std::size_t>(threadNumber - 1)];
        isBusy_.clear(std::memory_order_release);
        own.resize(sums_.size());
        return own.data();
    }

    /// What was added, thread by thread; null if it did not begin.
    const double* whole() {
        for (const std::vector<double>& sums : others_)
            for (std::size_t k = 0; k < sums.size(); ++k) sums_[k] += sums[k];
        others_.clear();
        return hasBegun_ ? sums_.data() : nullptr;
    }

private:
    std::vector<double> sums_;
    std::deque<std::vector<double>> others_;  // of thread 1, 2, ..: those that it reached stay put
    std::atomic_flag isBusy_ = ATOMIC_FLAG_INIT;
    bool hasBegun_ = false;
};

}  // namespace hpspmd::detail
