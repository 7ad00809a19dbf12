// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Numbers of several iterations of a loop that run at once, a lane for each, and conditions on
/// them.

#include <hpspmd/some.hpp>

namespace hpspmd::detail {

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

/// The packs of an Each.
template <class T, int n>
struct Packs {
    static constexpr int count = n;
    PackOfEach<T> packs[n];
};

/// A number that each iteration has for itself. Operators do what C++ does for numbers.
template <class T, int n = packsOfEach>
struct Each : Packs<T, n> {
    Each() = default;
    Each(const Packs<T, n>& packs) : Packs<T, n>(packs) {}
    template <class U, std::enable_if_t<isPlainNumber<U>, int> = 0>
    Each(U x)
        : Each(ofPacks<Packs<T, n>>([&](int) { return static_cast<T>(x) - PackOfEach<T>{}; })) {}
    template <class U>
    Each(const Each<U, n>& x)
        : Each(ofPacks<Packs<T, n>>([&](int p) { return converted<T>(x.packs[p]); })) {}

    T inLane(int k) const { return this->packs[k / packLanes][k % packLanes]; }
    void setLane(int k, T x) { this->packs[k / packLanes][k % packLanes] = x; }
};
/// An Each of what `of` gives for each of the packs.
template <class T, int n, class Of>
[[gnu::always_inline]] inline Each<T, n> eachOfPacks(const Of& of) {
    return ofPacks<Packs<T, n>>(of);
}

template <class X>
struct NumberOf {
    using type = X;
    static constexpr int packs = 0;
};
template <class T, int n>
struct NumberOf<Each<T, n>> {
    using type = T;
    static constexpr int packs = n;
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
/// How many packs the one of them is held in that is an Each.
template <class A, class B>
inline constexpr int packsOf = isEach<A> ? NumberOf<A>::packs : NumberOf<B>::packs;
template <class A, class B>
using EachOfBoth = Each<Common<A, B>, packsOf<A, B>>;

/// Integers without their signs: lanes that take no part may hold anything.
template <class T>
using Wrapping =
    typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, NumberOf<T>>::type;
template <class T>
using WrappingPack = PackOfEach<Wrapping<T>>;

#define HPSPMD_OF_EACH(op)                                                            \
    template <class A, class B, IfEach<A, B> = 0>                                     \
    auto operator op(const A& left, const B& right) {                                 \
        using T = Common<A, B>;                                                       \
        constexpr int n = packsOf<A, B>;                                              \
        const Each<T, n> a = left, b = right;                                         \
        return eachOfPacks<T, n>([&](int p) {                                         \
            return reinterpret_cast<PackOfEach<T>>(reinterpret_cast<WrappingPack<T>>( \
                a.packs[p]) op reinterpret_cast<WrappingPack<T>>(b.packs[p]));        \
        });                                                                           \
    }
HPSPMD_OF_EACH(+)
HPSPMD_OF_EACH(-)
HPSPMD_OF_EACH(*)
HPSPMD_OF_EACH(&)
HPSPMD_OF_EACH(|)
HPSPMD_OF_EACH(^)
#undef HPSPMD_OF_EACH
#define HPSPMD_OF_EACH(op)                                                         \
    template <class A, class B, IfEach<A, B> = 0>                                  \
    auto operator op(const A& left, const B& right) {                              \
        using T = Common<A, B>;                                                    \
        constexpr int n = packsOf<A, B>;                                           \
        const Each<T, n> a = left, b = right;                                      \
        return eachOfPacks<T, n>([&](int p) { return a.packs[p] op b.packs[p]; }); \
    }
HPSPMD_OF_EACH(/)
HPSPMD_OF_EACH(%)
#undef HPSPMD_OF_EACH
template <class T, int n>
auto operator>>(const Each<T, n>& a, int by) {
    using R = decltype(+T());
    const Each<R, n> x = a;
    return eachOfPacks<R, n>([&](int p) { return x.packs[p] >> by; });
}
template <class T, int n>
auto operator<<(const Each<T, n>& a, int by) {
    using R = decltype(+T());
    const Each<R, n> x = a;
    return eachOfPacks<R, n>([&](int p) { return x.packs[p] << by; });
}
template <class T, int n>
auto operator+(const Each<T, n>& a) {
    return Each<decltype(+T()), n>(a);
}
template <class T, int n>
auto operator-(const Each<T, n>& a) {
    using R = decltype(+T());
    const Each<R, n> x = a;
    return eachOfPacks<R, n>([&](int p) {
        return reinterpret_cast<PackOfEach<R>>(-reinterpret_cast<WrappingPack<R>>(x.packs[p]));
    });
}
template <class T, int n>
auto operator~(const Each<T, n>& a) {
    using R = decltype(+T());
    const Each<R, n> x = a;
    return eachOfPacks<R, n>([&](int p) { return ~x.packs[p]; });
}

/// ==, <, <=, is no number, or !=, by their numbers in the processor.
template <int relation, class T>
Bits compared(const PackOfEach<T>& x, const PackOfEach<T>& y) {
#ifdef HPSPMD_MASKS
    using Long = Lanes<long long, 64>::Pack;
    using Int = Lanes<int, 32>::Pack;
    if constexpr (std::is_same_v<T, double>)
        return __builtin_ia32_cmppd512_mask(x, y, relation, -1, 4);
    else if constexpr (std::is_same_v<T, float>)
        return __builtin_ia32_cmpps256_mask(x, y, relation, -1);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>)
        return __builtin_ia32_cmpq512_mask((Long)x, (Long)y, relation, -1);
    else if constexpr (sizeof(T) == 8)
        return __builtin_ia32_ucmpq512_mask((Long)x, (Long)y, relation, -1);
    else if constexpr (std::is_signed_v<T>)
        return __builtin_ia32_cmpd256_mask((Int)x, (Int)y, relation, -1);
    else
        return __builtin_ia32_ucmpd256_mask((Int)x, (Int)y, relation, -1);
#else
    if constexpr (relation == 0) return converted<std::int64_t>(x == y);
    if constexpr (relation == 1) return converted<std::int64_t>(x < y);
    if constexpr (relation == 2) return converted<std::int64_t>(x <= y);
    if constexpr (relation == 3) return converted<std::int64_t>((x != x) | (y != y));
    if constexpr (relation == 4) return converted<std::int64_t>(x != y);
#endif
}

#define HPSPMD_OF_EACH(op, relation, x, y)                                           \
    template <class A, class B, IfEach<A, B> = 0>                                    \
    auto operator op(const A& left, const B& right) {                                \
        using T = Common<A, B>;                                                      \
        constexpr int n = packsOf<A, B>;                                             \
        const Each<T, n> a = left, b = right;                                        \
        return ofPacks<Some<n>>([&](int p) { return compared<relation, T>(x, y); }); \
    }
HPSPMD_OF_EACH(==, 0, a.packs[p], b.packs[p])
HPSPMD_OF_EACH(<, 1, a.packs[p], b.packs[p])
HPSPMD_OF_EACH(<=, 2, a.packs[p], b.packs[p])
HPSPMD_OF_EACH(!=, 4, a.packs[p], b.packs[p])
HPSPMD_OF_EACH(>, 1, b.packs[p], a.packs[p])
HPSPMD_OF_EACH(>=, 2, b.packs[p], a.packs[p])
#undef HPSPMD_OF_EACH

/// True where one of them is no number.
template <class A, class B, IfEach<A, B> = 0>
auto areUnordered(const A& left, const B& right) {
    using T = Common<A, B>;
    constexpr int n = packsOf<A, B>;
    const Each<T, n> a = left, b = right;
    return ofPacks<Some<n>>([&](int p) { return compared<3, T>(a.packs[p], b.packs[p]); });
}

/// bits ? x : y, of each of a pack.
template <class T>
PackOfEach<T> eitherOf(const Bits& bits, const PackOfEach<T>& x, const PackOfEach<T>& y) {
#ifdef HPSPMD_MASKS
    using Long = Lanes<long long, 64>::Pack;
    using Int = Lanes<int, 32>::Pack;
    if constexpr (std::is_same_v<T, double>)
        return __builtin_ia32_blendmpd_512_mask(y, x, bits);
    else if constexpr (std::is_same_v<T, float>)
        return __builtin_ia32_blendmps_256_mask(y, x, bits);
    else if constexpr (sizeof(T) == 8)
        return (PackOfEach<T>)__builtin_ia32_blendmq_512_mask((Long)y, (Long)x, bits);
    else if constexpr (sizeof(T) == 4)
        return (PackOfEach<T>)__builtin_ia32_blendmd_256_mask((Int)y, (Int)x, bits);
    else
        return converted<T>(eitherOf<int>(bits, converted<int>(x), converted<int>(y)));
#else
    using Signed = std::conditional_t<
        sizeof(T) == 8, std::int64_t,
        std::conditional_t<sizeof(T) == 4, std::int32_t,
                           std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
    return converted<Signed>(bits) ? x : y;
#endif
}
/// condition ? a : b, of each.
template <class T, int n>
Each<T, n> either(const Some<n>& condition, const Each<T, n>& a, const Each<T, n>& b) {
    return eachOfPacks<T, n>(
        [&](int p) { return eitherOf<T>(condition.packs[p], a.packs[p], b.packs[p]); });
}
template <int n, class A, class B>
auto chosen(const Some<n>& condition, const A& a, const B& b) {
    return either<Common<A, B>, n>(condition, a, b);
}

/// One of two values, of which only that is computed.
template <class A, class B>
auto either(bool condition, const A& a, const B& b) {
    using Number = EachOfBoth<decltype(a()), decltype(b())>;
    return condition ? Number(a()) : Number(b());
}

/// static_cast<T>(x), of each.
template <class T, class X>
auto numberAs(const X& x) {
    if constexpr (isEach<X>)
        return Each<T, NumberOf<X>::packs>(x);
    else
        return static_cast<T>(x);
}

template <int n>
Each<double, n> magnitude(const Each<double, n>& x) {
    return eachOfPacks<double, n>([&](int p) { return magnitude(x.packs[p]); });
}
template <int n>
Each<double, n> root(const Each<double, n>& x) {
    return eachOfPacks<double, n>([&](int p) { return root(x.packs[p]); });
}

/// std::max and std::min of numbers of one type.
template <class T, int n>
Each<T, n> maxOfSame(const Each<T, n>& a, const Each<T, n>& b) {
    return eachOfPacks<T, n>([&](int p) { return largerOfEach(a.packs[p], b.packs[p]); });
}
template <class T, int n>
Each<T, n> minOfSame(const Each<T, n>& a, const Each<T, n>& b) {
    return eachOfPacks<T, n>([&](int p) { return smallerOfEach(a.packs[p], b.packs[p]); });
}
template <class A, class B>
auto maxOfEach(const A& a, const B& b) {
    return maxOfSame<Common<A, B>, packsOf<A, B>>(a, b);
}
template <class A, class B>
auto minOfEach(const A& a, const B& b) {
    return minOfSame<Common<A, B>, packsOf<A, B>>(a, b);
}

/// std::fmax and std::fmin, which make floating-point numbers of integers.
template <class A, class B>
using Fraction = decltype(std::fmax(typename NumberOf<A>::type(), typename NumberOf<B>::type()));
template <class A, class B>
auto fmaxOfEach(const A& left, const B& right) {
    const Each<Fraction<A, B>, packsOf<A, B>> a = left, b = right;
    return either(a < b || a != a, b, a);
}
template <class A, class B>
auto fminOfEach(const A& left, const B& right) {
    const Each<Fraction<A, B>, packsOf<A, B>> a = left, b = right;
    return either(b < a || a != a, b, a);
}

/// The number of one lane.
template <class X>
auto inLane(const X& x, int k) {
    if constexpr (isEach<X>)
        return x.inLane(k);
    else
        return x;
}
/// f(x ..) of the lanes for which it is asked.
template <class Those, class F, class... X>
auto eachInTurn(const Those& those, const F& f, const X&... x) {
    Each<decltype(f(inLane(x, 0)...)), Those::count> result = 0;
    for (int k = 0; k < Those::count * packLanes; ++k)
        if (those[k]) result.setLane(k, f(inLane(x, k)...));
    return result;
}

/// 0, 1, .. from `first` on.
template <int n>
Each<Index, n> countedFrom(Index first) {
    PackOfEach<Index> places;
    for (int k = 0; k < packLanes; ++k) places[k] = k;
    return eachOfPacks<Index, n>([&](int p) { return places + (first + p * packLanes); });
}

}  // namespace hpspmd::detail
