// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Packs: as many neighbouring elements of a row as a register holds.

#include <hpspmd/where.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// Bytes of the widest registers.
#if defined(__AVX512F__)
inline constexpr int packBytes = 64;
#elif defined(__AVX__)
inline constexpr int packBytes = 32;
#else
inline constexpr int packBytes = 16;
#endif

/// Packs of `count` elements of type T. In memory they lie anywhere, not only at multiples of their
/// size. (A copy of bytes could change anything, and the C++ compiler would load all pointers
/// again.) `bytes`: the size of a pack, a power of two; narrower ones are for what is left of a
/// row.
template <class T, int bytes = packBytes>
struct Lanes {
    typedef T Pack __attribute__((vector_size(bytes)));
    typedef T Placed __attribute__((vector_size(bytes), aligned(sizeof(T))));
    static constexpr int count = bytes / static_cast<int>(sizeof(T));

    static Pack load(const T* p) { return *reinterpret_cast<const Placed*>(p); }
    static void store(T* p, const Pack& pack) { *reinterpret_cast<Placed*>(p) = pack; }
};

using DoublePack = Lanes<double>::Pack;

/// Stores elements begin .. end - 1 of a pack.
inline void storePart(double* p, const DoublePack& pack, Index begin, Index end) {
    using L = Lanes<double>;
    if (end - begin == L::count) return L::store(p, pack);
    typedef std::int64_t Numbers __attribute__((vector_size(packBytes)));
    Numbers numbers;
    for (int k = 0; k < L::count; ++k) numbers[k] = k;
    L::store(p, ((numbers >= begin) & (numbers < end)) ? pack : L::load(p));
}

#if defined(__GNUC__) && !defined(__clang__)
template <class T>
inline constexpr bool isTransposed = sizeof(T) == sizeof(Index) && Lanes<T>::count > 2;

/// Packs at a distance exchange the halves of their elements that lie at this distance. (Places
/// that are put into a pack one by one are no constants to the C++ compiler.)
template <int distance, class PackAt, std::size_t... k>
[[gnu::always_inline]] inline void exchange(const PackAt& pack, std::index_sequence<k...>) {
    constexpr Index count = sizeof...(k), upper = distance;
    using Places = Lanes<Index>::Pack;
    const Places first = {(k & upper ? count + k - upper : k)...},
                 second = {(k & upper ? count + k : k + upper)...};
#pragma GCC unroll 8
    for (int r = 0; r < count; ++r)
        if ((r & distance) == 0) {
            const auto a = pack(r), b = pack(r + distance);
            pack(r) = __builtin_shuffle(a, b, first);
            pack(r + distance) = __builtin_shuffle(a, b, second);
        }
}

/// Makes as many packs as a pack has elements, one of each row, those of the columns. `pack(k)` is
/// the k-th.
template <int count, class PackAt>
[[gnu::always_inline]] inline void transpose(const PackAt& pack) {
    constexpr std::make_index_sequence<count> places;
    exchange<1>(pack, places);
    if constexpr (count > 2) exchange<2>(pack, places);
    if constexpr (count > 4) exchange<4>(pack, places);
}
#else
template <class T>
inline constexpr bool isTransposed = false;
template <int count, class PackAt>
void transpose(const PackAt&) {}
#endif

/// |x|, or that of each element of a pack of type double.
inline double magnitude(double x) { return __builtin_fabs(x); }
template <class Pack, std::enable_if_t<!std::is_arithmetic_v<Pack>, int> = 0>
Pack magnitude(const Pack& pack) {
    typedef std::int64_t Bits __attribute__((vector_size(sizeof(Pack))));
    return reinterpret_cast<Pack>(reinterpret_cast<Bits>(pack) &
                                  std::numeric_limits<std::int64_t>::max());
}

/// The square root of a number, or of each element of a pack of type double.
inline double root(double x) { return __builtin_sqrt(x); }
template <class Pack, std::enable_if_t<!std::is_arithmetic_v<Pack>, int> = 0>
[[gnu::always_inline]] inline Pack root(const Pack& pack) {
#if defined(__AVX512F__) && !defined(__clang__)
    if constexpr (sizeof(Pack) == 64)
        return __builtin_ia32_sqrtpd512_mask(pack, pack, -1, 4);
    else
#endif
    {
        Pack result;
        for (unsigned k = 0; k < sizeof(Pack) / sizeof(double); ++k)
            result[k] = __builtin_sqrt(pack[k]);
        return result;
    }
}

/// std::fmax and std::fmin, which ignore what is no number, without a call.
template <class A, class B>
auto fmax(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, B> && std::is_floating_point_v<A>)
        return a < b || a != a ? b : a;
    else
        return std::fmax(a, b);
}
template <class A, class B>
auto fmin(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, B> && std::is_floating_point_v<A>)
        return b < a || a != a ? b : a;
    else
        return std::fmin(a, b);
}

/// False of a NaN.
inline bool isOrdered(double x) { return x == x; }

/// std::max, std::min and std::clamp of numbers, as a number: a reference would keep them in
/// memory.
template <class T>
using Chosen = std::conditional_t<std::is_arithmetic_v<T>, T, const T&>;
template <class T>
Chosen<T> larger(const T& a, const T& b) {
    return a < b ? b : a;
}
template <class T>
Chosen<T> smaller(const T& a, const T& b) {
    return b < a ? b : a;
}
template <class T>
Chosen<T> clamped(const T& v, const T& lo, const T& hi) {
    return v < lo ? lo : hi < v ? hi : v;
}

template <class Pack, int bytes>
inline constexpr bool isOfDoubles = std::is_same_v<Pack, typename Lanes<double, bytes>::Pack>;

/// a < b ? b : a and b < a ? b : a for each two elements of packs; one instruction, which the C++
/// compiler finds for integers alone.
template <class Pack>
Pack largerOfEach(const Pack& a, const Pack& b) {
#if defined(__AVX512F__) && defined(__clang__)
    if constexpr (isOfDoubles<Pack, 64>) return __builtin_ia32_maxpd512(b, a, 4);
#elif defined(__AVX512F__)
    if constexpr (isOfDoubles<Pack, 64>) return __builtin_ia32_maxpd512_mask(b, a, a, -1, 4);
#endif
#if defined(__AVX__)
    if constexpr (isOfDoubles<Pack, 32>) return __builtin_ia32_maxpd256(b, a);
    if constexpr (isOfDoubles<Pack, 16>) return __builtin_ia32_maxpd(b, a);
#endif
    return a < b ? b : a;
}
template <class Pack>
Pack smallerOfEach(const Pack& a, const Pack& b) {
#if defined(__AVX512F__) && defined(__clang__)
    if constexpr (isOfDoubles<Pack, 64>) return __builtin_ia32_minpd512(b, a, 4);
#elif defined(__AVX512F__)
    if constexpr (isOfDoubles<Pack, 64>) return __builtin_ia32_minpd512_mask(b, a, a, -1, 4);
#endif
#if defined(__AVX__)
    if constexpr (isOfDoubles<Pack, 32>) return __builtin_ia32_minpd256(b, a);
    if constexpr (isOfDoubles<Pack, 16>) return __builtin_ia32_minpd(b, a);
#endif
    return b < a ? b : a;
}

/// A pack of one number, or the pack itself.
template <class Pack, class X>
Pack packOf(const X& x) {
    if constexpr (std::is_arithmetic_v<X>)
        return x - Pack{};
    else
        return x;
}
/// The type of packs of two operands, one of which is a pack.
template <class A, class B>
using PackOf = std::conditional_t<std::is_arithmetic_v<A>, B, A>;

/// a < b ? b : a and b < a ? b : a of numbers, of packs, or of a pack and a number for each of its
/// elements.
template <class A, class B>
auto largerOf(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
        return a < b ? b : a;
    else
        return largerOfEach(packOf<PackOf<A, B>>(a), packOf<PackOf<A, B>>(b));
}
template <class A, class B>
auto smallerOf(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
        return b < a ? b : a;
    else
        return smallerOfEach(packOf<PackOf<A, B>>(a), packOf<PackOf<A, B>>(b));
}

/// condition ? a : b, or that of each element.
template <class Condition, class A, class B>
auto chosen(const Condition& condition, const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<Condition> && std::is_same_v<A, B>) {
        return condition ? a : b;
    } else if constexpr (std::is_arithmetic_v<Condition>) {
        using Pack = PackOf<A, B>;
        return condition ? packOf<Pack>(a) : packOf<Pack>(b);
    } else {
        using Number = std::conditional_t<sizeof(condition[0]) == sizeof(int), int, double>;
        using Pack = typename Lanes<Number, sizeof(Condition)>::Pack;
        return Pack(condition ? packOf<Pack>(a) : packOf<Pack>(b));
    }
}

/// std::fmax and std::fmin of such, which ignore what is no number.
template <class A, class B>
auto largerNumberOf(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        return fmax(a, b);
    } else {
        using Pack = PackOf<A, B>;
        return Pack(packOf<Pack>(a) != packOf<Pack>(a) ? packOf<Pack>(b) : largerOf(a, b));
    }
}
template <class A, class B>
auto smallerNumberOf(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        return fmin(a, b);
    } else {
        using Pack = PackOf<A, B>;
        return Pack(packOf<Pack>(a) != packOf<Pack>(a) ? packOf<Pack>(b) : smallerOf(a, b));
    }
}

#if defined(__AVX512F__)
/// The last elements of one pack from `begin` on, and the first ones of the next.
[[gnu::always_inline]] inline DoublePack joined(const DoublePack& pack, const DoublePack& next,
                                                Index begin) {
    typedef long long Bits __attribute__((vector_size(packBytes)));
    const Bits low = reinterpret_cast<Bits>(pack), high = reinterpret_cast<Bits>(next);
#if defined(__clang__)
#define HPSPMD_JOINED(n) \
    case n:              \
        return reinterpret_cast<DoublePack>(__builtin_ia32_alignq512(high, low, n));
#else
#define HPSPMD_JOINED(n) \
    case n:              \
        return reinterpret_cast<DoublePack>(__builtin_ia32_alignq512_mask(high, low, n, low, -1));
#endif
    switch (begin) {  // a constant of the machine's instruction
        HPSPMD_JOINED(1)
        HPSPMD_JOINED(2)
        HPSPMD_JOINED(3)
        HPSPMD_JOINED(4)
        HPSPMD_JOINED(5)
        HPSPMD_JOINED(6)
        HPSPMD_JOINED(7)
    default:
        return pack;
    }
#undef HPSPMD_JOINED
}
#endif

}  // namespace hpspmd::detail
