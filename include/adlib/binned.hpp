// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums of floating-point numbers that do not depend on the order of the terms: binned summation.
///
/// The exponents are cut into bins of 40 bits. Each number is split into multiples of the units of
/// the three highest bins in use, and what falls into a bin is added exactly, as an integer; so all
/// orders and groupings give the same integers, and one rounding at the end the same bits. What
/// lies below the third bin is dropped: at most 2^-80 of the largest number, for each number. J.
/// Demmel, W. Ahrens, H. D. Nguyen: Efficient Reproducible Floating Point Summation and BLAS,
/// UCB/EECS-2016-121; here with integers as accumulators, which makes merging trivially exact.

#include <hpspmd/where.hpp>

#include <array>
#include <atomic>
#include <complex>
#include <cstdint>

namespace hpspmd::detail {

/// A sum in progress; plain bytes, to be sent as such.
struct Binned {
    static constexpr int folds = 3;
    static constexpr int lowestTop = -25;  ///< its lowest bin holds the subnormal numbers

    std::int64_t top = lowestTop;          ///< the highest bin; bin b counts multiples of 2^(40 b)
    std::uint64_t special = 0;             ///< flags: an infinity of either sign, a NaN
    std::uint64_t totals[2 * folds] = {};  ///< per bin, from the top: 128 bits, low word first
};

/// Adds `count` numbers; any order and any partition of the numbers gives the same sum.
void deposit(Binned& sum, const double* values, Index count);
/// Adds another sum.
void merge(Binned& sum, const Binned& other);
/// The sum, rounded to nearest; infinite or NaN as IEEE addition would make it.
double rounded(const Binned& sum);

template <class T>
inline constexpr bool isComplex = false;
template <class T>
inline constexpr bool isComplex<std::complex<T>> = true;

/// The element types that have such sums.
template <class T>
inline constexpr bool isBinnable = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool isBinnable<std::complex<T>> = isBinnable<T>;

/// A sum of numbers, real or complex. float terms are added as doubles and rounded at the end.
template <class T>
class BinnedSum {
    static_assert(isBinnable<T>, "reproducible sums are made of float, double and their complex");

public:
    static constexpr Index chunk = 512;  ///< terms that are worth a call of deposit

    void add(const T* values, Index count) {
        if constexpr (std::is_same_v<T, double>) {
            deposit(parts_[0], values, count);
        } else {
            for (Index done = 0; done < count; done += chunk)
                addChunk(values + done, count - done < chunk ? count - done : chunk);
        }
    }
    void add(const T& value) { add(&value, 1); }
    void merge(const BinnedSum& other) {
        for (std::size_t k = 0; k < parts_.size(); ++k) detail::merge(parts_[k], other.parts_[k]);
    }
    T value() const {
        if constexpr (isComplex<T>) {
            using Real = typename T::value_type;
            return T(static_cast<Real>(rounded(parts_[0])), static_cast<Real>(rounded(parts_[1])));
        } else {
            return static_cast<T>(rounded(parts_[0]));
        }
    }

private:
    void addChunk(const T* values, Index count) {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            double part[chunk];
            for (Index t = 0; t < count; ++t) {
                if constexpr (isComplex<T>)
                    part[t] = static_cast<double>(k == 0 ? values[t].real() : values[t].imag());
                else
                    part[t] = static_cast<double>(values[t]);
            }
            deposit(parts_[k], part, count);
        }
    }

    std::array<Binned, isComplex<T> ? 2 : 1> parts_{};
};

/// The combiner of two processes' sums.
template <class T>
void mergeSums(void* left, const void* right, std::size_t bytes, const void*) {
    auto* mine = static_cast<BinnedSum<T>*>(left);
    const auto* other = static_cast<const BinnedSum<T>*>(right);
    for (std::size_t k = 0; k < bytes / sizeof(BinnedSum<T>); ++k) mine[k].merge(other[k]);
}

/// Adds value(0) .. value(count - 1), collected so that they are deposited many at once.
template <class T, class Value>
void addTerms(BinnedSum<T>& sum, Index count, const Value& value) {
    T terms[BinnedSum<T>::chunk];
    for (Index done = 0; done < count; done += BinnedSum<T>::chunk) {
        const Index some = count - done < BinnedSum<T>::chunk ? count - done : BinnedSum<T>::chunk;
        for (Index t = 0; t < some; ++t) terms[t] = value(done + t);
        sum.add(terms, some);
    }
}

/// Whether plain sums are to be reproducible too: 1, 0, or -1 before the environment has been
/// asked.
inline std::atomic<signed char> reproducibleSums{-1};
bool askForReproducibleSums();
inline bool sumsAreReproducible() {
    const signed char known = reproducibleSums.load(std::memory_order_relaxed);
    return known < 0 ? askForReproducibleSums() : known > 0;
}

}  // namespace hpspmd::detail
