// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What std::complex makes of a product of whose parts, computed one by one, one is no number: it
/// may be infinite if a factor is. hpcc -O3 asks for it seldom.

#include <complex>

namespace hpspmd::detail {

/// True if one of them is no number.
inline bool areUnordered(double x, double y) { return __builtin_isunordered(x, y); }

template <class T>
[[gnu::cold, gnu::noinline]] T realOfProduct(T a, T b, T c, T d) {
    return (std::complex<T>(a, b) * std::complex<T>(c, d)).real();
}
template <class T>
[[gnu::cold, gnu::noinline]] T imagOfProduct(T a, T b, T c, T d) {
    return (std::complex<T>(a, b) * std::complex<T>(c, d)).imag();
}

}  // namespace hpspmd::detail
