// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a strategy of the program promises, for programs that run with HPSPMD_CHECK=races.

#include <adlib/method.hpp>
#include <hpspmd/promised_array.hpp>

#include <algorithm>

namespace hpspmd::detail {

/// Into how many parts the elements of a method are cut: for the processes, or, if there is one,
/// for its threads, and as if there were four at least.
inline int partsOf(const Method& method) {
    if (!method.isSingle()) return apg().size();
#if defined(_OPENMP)
    return std::max(omp_get_max_threads(), 4);
#else
    return 4;
#endif
}

/// An array of which a loop changes elements anywhere; those of two parts are different ones.
template <class X>
PromisedArray scattered(const X& x, const Method& method) {
    PromisedArray result = wholeArray(x);
    if (method.cuts() != nullptr) result.cuts = (*method.cuts())(partsOf(method));
    return result;
}

}  // namespace hpspmd::detail
