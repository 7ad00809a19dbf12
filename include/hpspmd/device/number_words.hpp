// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What kernels call types of numbers.

#include <type_traits>

namespace hpspmd::detail {

/// The word for a type of numbers in a kernel; null if there is none.
template <class T>
constexpr const char* kernelWord() {
    if constexpr (std::is_same_v<T, float>)
        return "float";
    else if constexpr (std::is_same_v<T, double>)
        return "double";
    else if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool> || sizeof(T) > 8)
        return nullptr;
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? "signed char" : "unsigned char";
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? "short" : "unsigned short";
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? "int" : "unsigned int";
    else
        return std::is_signed_v<T> ? "long" : "unsigned long";
}

}  // namespace hpspmd::detail
