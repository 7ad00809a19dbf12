// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// & | ^ as operations that combine what processes have found.

namespace hpspmd::detail {

struct BitAnd {
    template <class T>
    static constexpr T identity() {
        return static_cast<T>(~T());
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return static_cast<T>(a & b);
    }
};
struct BitOr {
    template <class T>
    static constexpr T identity() {
        return T();
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return static_cast<T>(a | b);
    }
};
struct BitXor {
    template <class T>
    static constexpr T identity() {
        return T();
    }
    template <class T>
    static constexpr T combine(const T& a, const T& b) {
        return static_cast<T>(a ^ b);
    }
};

}  // namespace hpspmd::detail
