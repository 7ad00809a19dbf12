// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Packs: as many neighbouring elements of a row as a register holds.

#include <hpspmd/where.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

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
/// again.)
template <class T>
struct Lanes {
    typedef T Pack __attribute__((vector_size(packBytes)));
    typedef T Placed __attribute__((vector_size(packBytes), aligned(sizeof(T))));
    static constexpr int count = packBytes / static_cast<int>(sizeof(T));

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

/// |x|, or that of each element of a pack.
inline double magnitude(double x) { return __builtin_fabs(x); }
inline DoublePack magnitude(const DoublePack& pack) {
    typedef std::int64_t Bits __attribute__((vector_size(packBytes)));
    return reinterpret_cast<DoublePack>(reinterpret_cast<Bits>(pack) &
                                        std::numeric_limits<std::int64_t>::max());
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

/// a < b ? b : a for each two elements; one instruction, which the C++ compiler does not find.
inline DoublePack largerOf(const DoublePack& a, const DoublePack& b) {
#if defined(__AVX512F__) && defined(__clang__)
    return __builtin_ia32_maxpd512(b, a, 4);
#elif defined(__AVX512F__)
    return __builtin_ia32_maxpd512_mask(b, a, a, -1, 4);
#elif defined(__AVX__)
    return __builtin_ia32_maxpd256(b, a);
#else
    return a < b ? b : a;
#endif
}
/// b < a ? b : a for each two elements.
inline DoublePack smallerOf(const DoublePack& a, const DoublePack& b) {
#if defined(__AVX512F__) && defined(__clang__)
    return __builtin_ia32_minpd512(b, a, 4);
#elif defined(__AVX512F__)
    return __builtin_ia32_minpd512_mask(b, a, a, -1, 4);
#elif defined(__AVX__)
    return __builtin_ia32_minpd256(b, a);
#else
    return b < a ? b : a;
#endif
}

/// A pack of one number.
inline DoublePack packOf(double x) { return x - DoublePack{}; }
inline const DoublePack& packOf(const DoublePack& pack) { return pack; }

/// The same of numbers, or of a pack and a number for each of its elements.
template <class A, class B>
auto largerOf(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<B, double>)
        return a < b ? b : a;
    else
        return largerOf(packOf(a), packOf(b));
}
template <class A, class B>
auto smallerOf(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<B, double>)
        return b < a ? b : a;
    else
        return smallerOf(packOf(a), packOf(b));
}

/// condition ? a : b, or that of each element.
template <class Condition, class A, class B>
auto chosen(const Condition& condition, const A& a, const B& b) {
    if constexpr (std::is_same_v<Condition, bool>)
        return condition ? a : b;
    else
        return DoublePack(condition ? packOf(a) : packOf(b));
}

/// std::fmax and std::fmin of such, which ignore what is no number.
template <class A, class B>
auto largerNumberOf(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<B, double>)
        return fmax(a, b);
    else
        return DoublePack(packOf(a) != packOf(a) ? packOf(b) : largerOf(packOf(a), packOf(b)));
}
template <class A, class B>
auto smallerNumberOf(const A& a, const B& b) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<B, double>)
        return fmin(a, b);
    else
        return DoublePack(packOf(a) != packOf(a) ? packOf(b) : smallerOf(packOf(a), packOf(b)));
}

}  // namespace hpspmd::detail
