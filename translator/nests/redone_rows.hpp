// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nests/context.hpp"

namespace hpcc::nests {

/// An independent loop with products of complex numbers (normalize/complex_apart.hpp) that goes on
/// where the parts of one are no numbers, notes that, and is done again as it is then: so the C++
/// compiler computes several iterations at once.
///
///     int k_found = 0;
///     HPSPMD_REDUCTION(k, reduction(| : k_found))
///     for (..) {
///         double z_real = .., z_imag = ..;
///         k_found |= hpspmd::detail::areUnordered(z_real, z_imag);
///         c_data[k] = z_real * z_real + z_imag * z_imag;
///     }
///     if (k_found != 0) for (..) ..
///
/// `marked` is the loop behind its mark. Itself if it has no such product, or reads what it writes.
ast::NodePtr withRareProductsRedone(Context& context, const Nest& nest, const Loop& loop,
                                    ast::NodePtr marked);

}  // namespace hpcc::nests
