// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Numbers of several iterations of a loop that run at once, a lane for each, and conditions on
/// them.

#include <hpspmd/lanes.hpp>

namespace hpspmd::detail {

/// How many iterations run at once.
inline constexpr int iterations = packBytes / static_cast<int>(sizeof(double));

template <class T>
using PackOfEach = typename Lanes<T, iterations* static_cast<int>(sizeof(T))>::Pack;

#if defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__)
#define HPSPMD_MASKS
using Bits = unsigned char;
#else
using Bits = PackOfEach<std::int64_t>;
#endif

/// Whether loops are computed in lanes. If these go different ways that pays where the processor
/// has masks: without, it takes longer than one iteration after the other. HPSPMD_LANES says that
/// they are everywhere.
#if defined(HPSPMD_MASKS) || defined(HPSPMD_LANES)
template <bool usesMasks>
inline constexpr bool hasLanes = true;
#else
template <bool usesMasks>
inline constexpr bool hasLanes = !usesMasks && packBytes > 16;
#endif

/// Which of the iterations: a bit for each, or all bits of a lane.
struct Some {
    Bits bits;

    explicit Some(Bits bits) : bits(bits) {}
    static Some all(bool is = true) { return Some(static_cast<Bits>(is ? ~Bits{} : Bits{})); }

    bool operator[](int k) const {
#ifdef HPSPMD_MASKS
        return bits >> k & 1;
#else
        return bits[k];
#endif
    }
    bool any() const {
#ifdef HPSPMD_MASKS
        return bits != 0;
#else
        std::int64_t all = 0;
        for (int k = 0; k < iterations; ++k) all |= bits[k];
        return all != 0;
#endif
    }
    Some operator!() const { return Some(static_cast<Bits>(~bits)); }
    friend Some operator&&(const Some& a, const Some& b) {
        return Some(static_cast<Bits>(a.bits & b.bits));
    }
    friend Some operator||(const Some& a, const Some& b) {
        return Some(static_cast<Bits>(a.bits | b.bits));
    }
};

/// The numbers of a pack as those of another type.
template <class T, class Pack>
PackOfEach<T> converted(const Pack& pack) {
    if constexpr (std::is_same_v<Pack, PackOfEach<T>>)
        return pack;
    else
        return __builtin_convertvector(pack, PackOfEach<T>);
}

/// Numbers of C++, enumerators that are numbers among them.
template <class X>
inline constexpr bool isPlainNumber = std::is_arithmetic_v<X> ||
                                      (std::is_enum_v<X> && std::is_convertible_v<X, int>);

/// A number that each iteration has for itself. Operators do what C++ does for numbers.
template <class T>
struct Each {
    using Pack = PackOfEach<T>;
    Pack pack;

    Each() = default;
    Each(Pack pack) : pack(pack) {}
    template <class U, std::enable_if_t<isPlainNumber<U>, int> = 0>
    Each(U x) : pack(static_cast<T>(x) - Pack{}) {}
    template <class U>
    Each(const Each<U>& x) : pack(converted<T>(x.pack)) {}
};

template <class X>
struct NumberOf {
    using type = X;
};
template <class T>
struct NumberOf<Each<T>> {
    using type = T;
};
template <class X>
inline constexpr bool isEach = !std::is_same_v<typename NumberOf<X>::type, X>;
template <class A, class B = A>
using IfEach = std::enable_if_t<(isEach<A> || isEach<B>)&&(isEach<A> || isPlainNumber<A>)&&(
                                    isEach<B> || isPlainNumber<B>),
                                int>;
/// What C++ makes of two numbers before it adds them.
template <class A, class B>
using Common = decltype(typename NumberOf<A>::type() + typename NumberOf<B>::type());

/// Integers without their signs: lanes that take no part may hold anything.
template <class T>
using Wrapping =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, NumberOf<T>>::type;
template <class T>
using WrappingPack = PackOfEach<Wrapping<T>>;

#define HPSPMD_OF_EACH(op)                                                 \
    template <class A, class B, IfEach<A, B> = 0>                          \
    auto operator op(const A& a, const B& b) {                             \
        using T = Common<A, B>;                                            \
        const auto x = reinterpret_cast<WrappingPack<T>>(Each<T>(a).pack); \
        const auto y = reinterpret_cast<WrappingPack<T>>(Each<T>(b).pack); \
        return Each<T>(reinterpret_cast<PackOfEach<T>>(x op y));           \
    }
HPSPMD_OF_EACH(+)
HPSPMD_OF_EACH(-)
HPSPMD_OF_EACH(*)
HPSPMD_OF_EACH(&)
HPSPMD_OF_EACH(|)
HPSPMD_OF_EACH(^)
#undef HPSPMD_OF_EACH
#define HPSPMD_OF_EACH(op)                                  \
    template <class A, class B, IfEach<A, B> = 0>           \
    auto operator op(const A& a, const B& b) {              \
        using T = Common<A, B>;                             \
        return Each<T>(Each<T>(a).pack op Each<T>(b).pack); \
    }
HPSPMD_OF_EACH(/)
HPSPMD_OF_EACH(%)
#undef HPSPMD_OF_EACH
template <class T>
auto operator>>(const Each<T>& a, int by) {
    using R = decltype(+T());
    return Each<R>(Each<R>(a).pack >> by);
}
template <class T>
auto operator<<(const Each<T>& a, int by) {
    using R = decltype(+T());
    return Each<R>(Each<R>(a).pack << by);
}
template <class T>
auto operator+(const Each<T>& a) {
    return Each<decltype(+T())>(a);
}
template <class T>
auto operator-(const Each<T>& a) {
    using R = decltype(+T());
    return Each<R>(
        reinterpret_cast<PackOfEach<R>>(-reinterpret_cast<WrappingPack<R>>(Each<R>(a).pack)));
}
template <class T>
auto operator~(const Each<T>& a) {
    using R = decltype(+T());
    return Each<R>(~Each<R>(a).pack);
}

/// ==, <, <= or !=, by their numbers in the processor.
template <int relation, class T>
Some compared(const Each<T>& a, const Each<T>& b) {
#ifdef HPSPMD_MASKS
    using Long = Lanes<long long, 64>::Pack;
    using Int = Lanes<int, 32>::Pack;
    const auto x = a.pack, y = b.pack;
    if constexpr (std::is_same_v<T, double>)
        return Some(__builtin_ia32_cmppd512_mask(x, y, relation, -1, 4));
    else if constexpr (std::is_same_v<T, float>)
        return Some(__builtin_ia32_cmpps256_mask(x, y, relation, -1));
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>)
        return Some(__builtin_ia32_cmpq512_mask((Long)x, (Long)y, relation, -1));
    else if constexpr (sizeof(T) == 8)
        return Some(__builtin_ia32_ucmpq512_mask((Long)x, (Long)y, relation, -1));
    else if constexpr (std::is_signed_v<T>)
        return Some(__builtin_ia32_cmpd256_mask((Int)x, (Int)y, relation, -1));
    else
        return Some(__builtin_ia32_ucmpd256_mask((Int)x, (Int)y, relation, -1));
#else
    if constexpr (relation == 0) return Some(converted<std::int64_t>(a.pack == b.pack));
    if constexpr (relation == 1) return Some(converted<std::int64_t>(a.pack < b.pack));
    if constexpr (relation == 2) return Some(converted<std::int64_t>(a.pack <= b.pack));
    if constexpr (relation == 4) return Some(converted<std::int64_t>(a.pack != b.pack));
#endif
}

#define HPSPMD_OF_EACH(op, relation, x, y)            \
    template <class A, class B, IfEach<A, B> = 0>     \
    Some operator op(const A& left, const B& right) { \
        const Each<Common<A, B>> a = left, b = right; \
        return compared<relation>(x, y);              \
    }
HPSPMD_OF_EACH(==, 0, a, b)
HPSPMD_OF_EACH(<, 1, a, b)
HPSPMD_OF_EACH(<=, 2, a, b)
HPSPMD_OF_EACH(!=, 4, a, b)
HPSPMD_OF_EACH(>, 1, b, a)
HPSPMD_OF_EACH(>=, 2, b, a)
#undef HPSPMD_OF_EACH

/// condition ? a : b, of each.
template <class T>
Each<T> either(const Some& condition, const Each<T>& a, const Each<T>& b) {
#ifdef HPSPMD_MASKS
    using Long = Lanes<long long, 64>::Pack;
    using Int = Lanes<int, 32>::Pack;
    const auto x = a.pack, y = b.pack;
    const Bits bits = condition.bits;
    if constexpr (std::is_same_v<T, double>)
        return Each<T>(__builtin_ia32_blendmpd_512_mask(y, x, bits));
    else if constexpr (std::is_same_v<T, float>)
        return Each<T>(__builtin_ia32_blendmps_256_mask(y, x, bits));
    else if constexpr (sizeof(T) == 8)
        return Each<T>((PackOfEach<T>)__builtin_ia32_blendmq_512_mask((Long)y, (Long)x, bits));
    else if constexpr (sizeof(T) == 4)
        return Each<T>((PackOfEach<T>)__builtin_ia32_blendmd_256_mask((Int)y, (Int)x, bits));
    else
        return Each<T>(either<int>(condition, a, b));
#else
    using Signed = std::conditional_t<
        sizeof(T) == 8, std::int64_t,
        std::conditional_t<sizeof(T) == 4, std::int32_t,
                           std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
    return Each<T>(converted<Signed>(condition.bits) ? a.pack : b.pack);
#endif
}
template <class A, class B>
auto chosen(const Some& condition, const A& a, const B& b) {
    return either<Common<A, B>>(condition, a, b);
}

/// One of two values, of which only that is computed.
template <class A, class B>
auto either(bool condition, const A& a, const B& b) {
    using Number = Each<Common<decltype(a()), decltype(b())>>;
    return condition ? Number(a()) : Number(b());
}

/// static_cast<T>(x), of each.
template <class T, class X>
auto numberAs(const X& x) {
    if constexpr (isEach<X>)
        return Each<T>(x);
    else
        return static_cast<T>(x);
}

inline Each<double> magnitude(const Each<double>& x) { return magnitude(x.pack); }
inline Each<double> root(const Each<double>& x) {
#ifdef HPSPMD_MASKS
    return Each<double>(__builtin_ia32_sqrtpd512_mask(x.pack, x.pack, -1, 4));
#else
    Each<double> result;
    for (int k = 0; k < iterations; ++k) result.pack[k] = __builtin_sqrt(x.pack[k]);
    return result;
#endif
}

/// std::max and std::min of numbers of one type.
template <class T>
Each<T> maxOfSame(const Each<T>& a, const Each<T>& b) {
    if constexpr (std::is_same_v<T, double>)
        return Each<T>(largerOfEach(a.pack, b.pack));
    else
        return either(a < b, b, a);
}
template <class T>
Each<T> minOfSame(const Each<T>& a, const Each<T>& b) {
    if constexpr (std::is_same_v<T, double>)
        return Each<T>(smallerOfEach(a.pack, b.pack));
    else
        return either(b < a, b, a);
}
template <class A, class B>
auto maxOfEach(const A& a, const B& b) {
    return maxOfSame<Common<A, B>>(a, b);
}
template <class A, class B>
auto minOfEach(const A& a, const B& b) {
    return minOfSame<Common<A, B>>(a, b);
}

/// std::fmax and std::fmin, which make floating-point numbers of integers.
template <class A, class B>
using Fraction = decltype(std::fmax(typename NumberOf<A>::type(), typename NumberOf<B>::type()));
template <class A, class B>
auto fmaxOfEach(const A& left, const B& right) {
    const Each<Fraction<A, B>> a = left, b = right;
    return either(a < b || a != a, b, a);
}
template <class A, class B>
auto fminOfEach(const A& left, const B& right) {
    const Each<Fraction<A, B>> a = left, b = right;
    return either(b < a || a != a, b, a);
}

/// The number of one lane.
template <class X>
auto inLane(const X& x, int k) {
    if constexpr (isEach<X>)
        return typename NumberOf<X>::type(x.pack[k]);
    else
        return x;
}
/// f(x ..) of the lanes for which it is asked.
template <class Lanes, class F, class... X>
auto eachInTurn(const Lanes& lanes, const F& f, const X&... x) {
    Each<decltype(f(inLane(x, 0)...))> result = 0;
    for (int k = 0; k < iterations; ++k)
        if (lanes[k]) result.pack[k] = f(inLane(x, k)...);
    return result;
}

/// 0, 1, .. from `first` on.
inline Each<Index> countedFrom(Index first) {
    PackOfEach<Index> places;
    for (int k = 0; k < iterations; ++k) places[k] = k;
    return Each<Index>(places) + first;
}

}  // namespace hpspmd::detail
