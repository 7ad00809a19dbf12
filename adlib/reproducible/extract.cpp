// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reproducible/extract.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hpspmd::detail {
namespace {

#define HPSPMD_INLINE inline __attribute__((always_inline))

/// `bytes` of numbers at once, and masks over them.
template <int bytes>
struct Vector {
    typedef double Numbers __attribute__((vector_size(bytes)));  // GCC wants a typedef here
    typedef std::int64_t Masks __attribute__((vector_size(bytes)));
    static constexpr int lanes = bytes / 8;
};

/// Sums by bins. Adding and subtracting 1.5 * 2^52 units rounds a number to a multiple of the unit,
/// to even in the middle, independently of all other numbers. (Vectors are passed by reference:
/// how they travel by value depends on the machine.)
template <int bytes>
struct Extractor {
    using Numbers = typename Vector<bytes>::Numbers;
    using Masks = typename Vector<bytes>::Masks;

    Numbers anchor0, anchor1, anchor2, limit;
    Numbers sum0 = {}, sum1 = {}, sum2 = {};
    Masks sign, tooLarge = {};

    HPSPMD_INLINE explicit Extractor(const BinSplit& split) {
        const auto anchor = [&](int fold) {
            return std::ldexp(anchorOfBins, (split.top - fold) * binWidth);
        };
        anchor0 = Numbers{} + anchor(0);
        anchor1 = Numbers{} + anchor(1);
        anchor2 = Numbers{} + anchor(2);
        limit = Numbers{} + split.limit;
        sign = Masks{} + INT64_MAX;
    }

    HPSPMD_INLINE void add(const Numbers& x) {
        const Numbers magnitude = reinterpret_cast<Numbers>(reinterpret_cast<Masks>(x) & sign);
        tooLarge |= ~(magnitude <= limit);
        const Numbers part0 = (x + anchor0) - anchor0, rest0 = x - part0;
        const Numbers part1 = (rest0 + anchor1) - anchor1, rest1 = rest0 - part1;
        const Numbers part2 = (rest1 + anchor2) - anchor2;
        sum0 += part0;
        sum1 += part1;
        sum2 += part2;
    }

    HPSPMD_INLINE void finish(BinSums& parts) const {
        for (int lane = 0; lane < Vector<bytes>::lanes; ++lane) {
            parts.areValid &= tooLarge[lane] == 0;
            parts.sums[0] += sum0[lane];
            parts.sums[1] += sum1[lane];
            parts.sums[2] += sum2[lane];
        }
    }
};

template <int bytes>
HPSPMD_INLINE void extractBy(const double* values, Index count, const BinSplit& split,
                             BinSums& parts) {
    using Numbers = typename Vector<bytes>::Numbers;
    constexpr int lanes = Vector<bytes>::lanes;
    Extractor<bytes> even(split), odd(split);  // two, so that one need not wait for the other
    Index t = 0;
    for (Numbers x, y; t + 2 * lanes <= count; t += 2 * lanes) {
        std::memcpy(&x, values + t, sizeof x);
        std::memcpy(&y, values + t + lanes, sizeof y);
        x *= split.scale;
        y *= split.scale;
        even.add(x);
        odd.add(y);
    }
    for (; t < count; t += lanes) {
        Numbers x = {};
        std::memcpy(&x, values + t,
                    static_cast<std::size_t>(std::min<Index>(lanes, count - t)) * 8);
        x *= split.scale;
        even.add(x);
    }
    even.finish(parts);
    odd.finish(parts);
}

using Extract = void (*)(const double* values, Index count, const BinSplit& split, BinSums& parts);

void extractNarrow(const double* values, Index count, const BinSplit& split, BinSums& parts) {
    extractBy<16>(values, count, split, parts);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void extractAvx2(const double* values, Index count,
                                                 const BinSplit& split, BinSums& parts) {
    extractBy<32>(values, count, split, parts);
}
__attribute__((target("avx512f"))) void extractAvx512(const double* values, Index count,
                                                      const BinSplit& split, BinSums& parts) {
    extractBy<64>(values, count, split, parts);
}
#endif

Extract widest() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return extractAvx512;
    if (__builtin_cpu_supports("avx2")) return extractAvx2;
#endif
    return extractNarrow;
}

}  // namespace

BinSums extract(const double* values, Index count, const BinSplit& split) {
    static const Extract chosen = widest();
    BinSums parts{{}, true};
    chosen(values, count, split, parts);
    return parts;
}

}  // namespace hpspmd::detail
