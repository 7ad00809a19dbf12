// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The operations that reductions combine elements by. Each is associative and commutative, apart
/// from rounding, and has an identity: the result for no elements.

#include <limits>
#include <type_traits>

namespace hpspmd::detail {

/// An operation of the user as an object: a function becomes a pointer to it.
template <class Op>
const Op& callable(const Op& op) {
    return op;
}
template <class R, class... A>
auto callable(R (&function)(A...)) -> R (*)(A...) {
    return function;
}

/// Sum. Integers are added modulo 2^n, so the result is exact whenever it fits, whatever the order.
struct Plus {
    template <class T>
    static constexpr T identity() {
        return T();
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        if constexpr (std::is_integral_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;
            return static_cast<T>(
                static_cast<Unsigned>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b)));
        } else {
            return a + b;
        }
    }
};

/// Product; integers modulo 2^n.
struct Times {
    template <class T>
    static constexpr T identity() {
        return T(1);
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<unsigned long long>(a) *
                                  static_cast<unsigned long long>(b));
        else
            return a * b;
    }
};

template <class T>
constexpr void requireOrdered() {
    static_assert(std::numeric_limits<T>::is_specialized && !std::is_same_v<T, bool>,
                  "maxval, minval, maxloc and minloc need numbers as elements");
}

/// Largest value; NaNs do not take part. The identity is -infinity or the lowest integer.
struct Max {
    template <class T>
    static constexpr T identity() {
        requireOrdered<T>();
        if constexpr (std::numeric_limits<T>::has_infinity)
            return -std::numeric_limits<T>::infinity();
        else
            return std::numeric_limits<T>::lowest();
    }
    template <class T>
    static constexpr bool better(const T& a, const T& b) {
        return a > b;
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return b > a ? b : a;
    }
};

/// Smallest value; NaNs do not take part. The identity is infinity or the highest integer.
struct Min {
    template <class T>
    static constexpr T identity() {
        requireOrdered<T>();
        if constexpr (std::numeric_limits<T>::has_infinity)
            return std::numeric_limits<T>::infinity();
        else
            return std::numeric_limits<T>::max();
    }
    template <class T>
    static constexpr bool better(const T& a, const T& b) {
        return a < b;
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return b < a ? b : a;
    }
};

struct Or {
    template <class T>
    static constexpr T identity() {
        return false;
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return a || b;
    }
};

struct And {
    template <class T>
    static constexpr T identity() {
        return true;
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return a && b;
    }
};

/// A type of that size that kernels know and that adds as T does; null if there is none.
template <class Op, class T>
constexpr const char* typeOnDevice() {
    if constexpr (std::is_same_v<T, double>) return "double";
    if constexpr (std::is_same_v<T, float>) return "float";
    if constexpr (!std::is_integral_v<T>) return nullptr;
    constexpr bool isSigned = std::is_signed_v<T> && !std::is_same_v<Op, Plus>;
    if constexpr (sizeof(T) == 8) return isSigned ? "long" : "unsigned long";
    if constexpr (sizeof(T) == 4) return isSigned ? "int" : "unsigned int";
    return nullptr;
}

}  // namespace hpspmd::detail
