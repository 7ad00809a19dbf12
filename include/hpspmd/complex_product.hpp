// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What std::complex makes of a product whose parts, computed one by one, are both no numbers: it
/// is infinite if a factor is. hpcc -O3 asks for it seldom.

#include <complex>

namespace hpspmd::detail {

template <class T>
[[gnu::cold, gnu::noinline]] T realOfProduct(T a, T b, T c, T d) {
    return (std::complex<T>(a, b) * std::complex<T>(c, d)).real();
}
template <class T>
[[gnu::cold, gnu::noinline]] T imagOfProduct(T a, T b, T c, T d) {
    return (std::complex<T>(a, b) * std::complex<T>(c, d)).imag();
}

}  // namespace hpspmd::detail
