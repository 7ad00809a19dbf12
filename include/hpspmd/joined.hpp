// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Numbers that a nest changes while several threads run it: each thread has its own, and all are
/// joined in the order of the threads.

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hpspmd::detail {

/// How the numbers of two threads become one, and what thread 1, 2, .. begins with where thread 0
/// goes on with `value`.
struct BySum {
    template <class T>
    static T join(T a, T b) {
        return static_cast<T>(a + b);
    }
    /// What changes no sum: -0.0, not 0.0.
    template <class T>
    static T start(T) {
        return std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T();
    }
};
struct ByProduct {
    template <class T>
    static T join(T a, T b) {
        return static_cast<T>(a * b);
    }
    template <class T>
    static T start(T) {
        return T(1);
    }
};
/// The one that comes last in an order.
template <class Before>
struct ByLast {
    template <class T>
    static T join(T a, T b) {
        return Before()(a, b) ? b : a;
    }
    template <class T>
    static T start(T value) {
        return value;
    }
};
using ByMax = ByLast<std::less<>>;
using ByMin = ByLast<std::greater<>>;

/// The same, but anything is better than a NaN, as for `std::fmax`.
template <class Before>
struct ByLastNumber : ByLast<Before> {
    template <class T>
    static T join(T a, T b) {
        return a == a ? ByLast<Before>::join(a, b) : b;
    }
};
using ByLargestNumber = ByLastNumber<std::less<>>;
using ByLeastNumber = ByLastNumber<std::greater<>>;

/// A number with the way in which threads join theirs.
template <class T, class By>
struct Joined {
    T value;
};
template <class T>
Joined<T, BySum> bySum(T value) {
    return {value};
}
template <class T>
Joined<T, ByProduct> byProduct(T value) {
    return {value};
}
template <class T>
Joined<T, ByMax> byMax(T value) {
    return {value};
}
template <class T>
Joined<T, ByMin> byMin(T value) {
    return {value};
}
template <class T>
Joined<T, ByLargestNumber> byLargestNumber(T value) {
    return {value};
}
template <class T>
Joined<T, ByLeastNumber> byLeastNumber(T value) {
    return {value};
}

/// What a thread gets of a value: its own start of a number that is joined, anything else as it is.
template <class V>
const V& startOf(const V& value, int) {
    return value;
}
template <class T, class By>
T startOf(const Joined<T, By>& number, int thread) {
    return thread == 0 ? number.value : By::start(number.value);
}

/// The ways of those of the values that are joined, as a tuple.
template <class V>
struct JoinOf {
    using Types = std::tuple<>;
};
template <class T, class By>
struct JoinOf<Joined<T, By>> {
    using Types = std::tuple<By>;
};
template <class... Values>
using JoinsOf = decltype(std::tuple_cat(typename JoinOf<Values>::Types()...));

/// Joins what a thread returned, a number or a tuple of several, to `total`.
template <class... By, class Result>
void join(std::tuple<By...>, Result& total, const Result& piece) {
    if constexpr (sizeof...(By) == 1)
        ((total = By::join(total, piece)), ...);
    else
        std::apply(
            [&](auto&... totals) {
                std::apply(
                    [&](const auto&... pieces) { ((totals = By::join(totals, pieces)), ...); },
                    piece);
            },
            total);
}

}  // namespace hpspmd::detail
