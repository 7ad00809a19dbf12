// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums, products, largest and least numbers of long rows by several partial values, in several
/// registers, so that an addition does not wait for the one before it. hpcc -O3 emits calls of
/// takeLongRow().

#include <hpspmd/independent.hpp>
#include <hpspmd/joined.hpp>
#include <hpspmd/lanes.hpp>
#include <hpspmd/where.hpp>

#include <algorithm>
#include <type_traits>

namespace hpspmd::detail {

/// A number of each of so many iterations that are computed at once.
template <class T, int lanes>
struct Partial {
    T of[lanes];
};

/// step(j, number...). A number that changes under a condition is stored in any case, so that the
/// C++ compiler computes several lanes at once.
template <class K, class Step, class... T>
[[gnu::always_inline]] inline void stepOf(const Step& step, K j, T&... number) {
    const auto take = [&](T... own) {
        step(j, own...);
        ((number = own), ...);
    };
    take(number...);
}

/// step(j + k, n...) for k = 0, 1, .. where n... are the numbers of lane k, which it may change.
template <class K, int lanes, class Step, class... T>
[[gnu::always_inline]] inline void takeLanes(K j, const Step& step, Partial<T, lanes>&... partial) {
    HPSPMD_REDUCTION(k, )
    for (K k = 0; k < lanes; ++k) stepOf(step, j + k, partial.of[k]...);
}

/// join(a, b) of each number of the first half and its partner of the second one, and again, until
/// `rest` are left.
template <int rest, class T, int lanes, class Join>
[[gnu::always_inline]] inline void joinHalves(Partial<T, lanes>& partial, const Join& join) {
    for (int half = lanes / 2; half >= rest; half /= 2)
        for (int k = 0; k < half; ++k) partial.of[k] = join(partial.of[k], partial.of[k + half]);
}

/// The partial values of a number in a long row, in four parts of eight lanes: in one array, GCC
/// keeps those of several numbers in memory. Where registers are few, only the first ones are used.
template <class T>
struct LongRowOf {
    Partial<T, 8> a, b, c, d;

    void start(const T& value) {
        for (auto* part : {&a, &b, &c, &d})
            for (T& one : part->of) one = value;
    }
    template <class Join>
    T joined(const Join& join) {
        for (int k = 0; k < 8; ++k) a.of[k] = join(join(a.of[k], c.of[k]), join(b.of[k], d.of[k]));
        joinHalves<1>(a, join);
        return a.of[0];
    }
};
inline constexpr int longRowParts = packBytes / 16;  // 4, 2 or 1

/// step(j, n...) for j = first .. last as far as they fill all lanes. The result: the iteration
/// behind them.
template <class K, class Step, class... T>
[[gnu::always_inline]] inline K takeByLanes(K first, Index last, const Step& step,
                                            LongRowOf<T>&... own) {
    constexpr int all = 8 * longRowParts;
    K j = first;
    for (; static_cast<Index>(j) <= last - (all - 1); j += all) {
        takeLanes(j, step, own.a...);
        if constexpr (longRowParts > 1) takeLanes(j + 8, step, own.b...);
        if constexpr (longRowParts > 2) {
            takeLanes(j + 16, step, own.c...);
            takeLanes(j + 24, step, own.d...);
        }
    }
    return j;
}

/// A count of what numbers of type double say: the partial values of an `int` are as wide as these.
struct ByCount : BySum {};
template <class T, class By>
using PartialOf =
    std::conditional_t<std::is_same_v<T, int> && std::is_same_v<By, ByCount>, Index, T>;

template <class A, class B>
inline constexpr bool areComparedAsFractions = std::is_arithmetic_v<A>&& std::is_arithmetic_v<B> &&
                                               (std::is_floating_point_v<A> ||
                                                std::is_floating_point_v<B>);

/// a < b and a <= b of numbers, without the floating-point exception that a NaN raises.
template <class A, class B>
constexpr bool isBelow(const A& a, const B& b) {
    if constexpr (areComparedAsFractions<A, B>)
        return __builtin_isless(a, b);
    else
        return a < b;
}
template <class A, class B>
constexpr bool isAtMost(const A& a, const B& b) {
    if constexpr (areComparedAsFractions<A, B>)
        return __builtin_islessequal(a, b);
    else
        return a <= b;
}

/// `for (j = first; j <= last; ++j) step(j, number...);` for so many iterations that what is left
/// is short, if the row is long: to begin and to join partial values costs what some hundred
/// iterations do. Each number is changed in the way By and nothing else, and otherwise iterations
/// are independent. The result: the first iteration that is left.
template <class K, class... By, class Step, class... T>
[[gnu::always_inline]] inline K takeLongRow(K first, [[maybe_unused]] Index last,
                                            [[maybe_unused]] const Step& step,
                                            [[maybe_unused]] T&... number) {
#if defined(HPSPMD_REDUCTIONS) && !defined(__clang__)             // which does so by itself
    constexpr bool waits = (std::is_floating_point_v<T> || ...);  // additions of integers don't
    constexpr auto widest = static_cast<Index>(std::max({sizeof(T)...}));
    constexpr Index each = waits ? 1024 / widest : 512;
    constexpr Index longRow = each * (2 + static_cast<Index>(sizeof...(T)));
    const auto take = [&](auto... own) {
        (own.start(By::start(number)), ...);
        const K rest = takeByLanes(first, last, step, own...);
        ((number =
              By::join(number, static_cast<T>(own.joined(By::template join<PartialOf<T, By>>)))),
         ...);
        return rest;
    };
    if (__builtin_expect(last - static_cast<Index>(first) >= longRow, false))
        return take(LongRowOf<PartialOf<T, By>>()...);
#endif
    return first;
}

}  // namespace hpspmd::detail
