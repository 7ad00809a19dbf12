// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/normalize/objects_apart.hpp"

namespace hpcc::nests {

/// The nest with two numbers in the place of each std::complex<double> or <float> that it declares,
/// where all that is done with it is to compute, to assign it, and to ask for its parts or its
/// square:
///
///     std::complex<double> z = 0;         ->   double z_real = 0; double z_imag = 0;
///     z += std::complex<double>(a[i], 1);      z_real += a[i]; z_imag += 1;
///     c[i] = std::norm(z);                     c[i] = (z_real * z_real + z_imag * z_imag);
///
/// A product stands in front of its statement, if `hasProducts`. Where a part is no number, the
/// library's product says what infinite factors make of it:
///
///     z *= w;    ->   double product_real = z_real * w_real - z_imag * w_imag;
///                     double product_imag = z_real * w_imag + z_imag * w_real;
///                     if (hpspmd::detail::areUnordered(product_real, product_imag)) {
///                         product_real = hpspmd::detail::realOfProduct(z_real, ..);
///                         product_imag = hpspmd::detail::imagOfProduct(z_real, ..);
///                     }
ast::NodePtr withComplexApart(Context& context, const Surroundings& surroundings, NamesMade names,
                              bool hasProducts, ast::NodePtr nest);

}  // namespace hpcc::nests
