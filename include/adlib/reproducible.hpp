// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Sums that have the same bits on any number of processes, any process grid and any distribution.

#include <adlib/dot_product.hpp>
#include <adlib/scan.hpp>
#include <adlib/sum.hpp>

namespace hpspmd {
namespace Adlib {

/// Asks a sum for the same bits whatever the processes and the distribution; what it costs and how
/// it is done: binned.hpp. For float, double and their complex; integer sums are exact anyhow.
struct Reproducible {};
inline constexpr Reproducible reproducible{};

/// From now on sum, dotProduct, sumDim, dotProductDim, their schedules and scan by std::plus<> are
/// reproducible without being asked. All processes must say the same. The environment variable
/// HPSPMD_REPRODUCIBLE=1 does it from the start.
void setReproducible(bool on);

/// sum(x), reproducible; x as there.
template <class X>
detail::ResultOf<detail::SumReduction, X> sum(Reproducible, const X& x,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::SumReduction>(x, where, detail::Order::None);
}
template <class A, class... M>
detail::ResultOf<detail::SumReduction, A> sum(Reproducible, const A& array,
                                              const Array<const bool, M...>& mask,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::SumReduction>(array, mask, where, detail::Order::None);
}

/// dotProduct(a, b), reproducible: each product is rounded, their sum is exact until the end.
template <class A, class B>
auto dotProduct(Reproducible, const A& a, const B& b, detail::Where where = detail::Where::here()) {
    return detail::dotProductOf(where, detail::Order::None, a, b);
}
template <class A, class B, class... M>
auto dotProduct(Reproducible, const A& a, const B& b, const Array<const bool, M...>& mask,
                detail::Where where = detail::Where::here()) {
    return detail::dotProductOf(where, detail::Order::None, a, b, mask);
}

/// sumDim(result, array, d), reproducible.
template <class Res, class A>
void sumDim(Reproducible, const Res& result, const A& array, int d,
            detail::Where where = detail::Where::here()) {
    detail::reduceDimIn<detail::SumReduction>(detail::Order::None, where, d, result, array);
}
template <class Res, class A, class... M>
void sumDim(Reproducible, const Res& result, const A& array, int d,
            const Array<const bool, M...>& mask, detail::Where where = detail::Where::here()) {
    detail::reduceDimIn<detail::SumReduction>(detail::Order::None, where, d, result, array, mask);
}

/// scan(destination, source, std::plus<>(), d), reproducible.
template <class T, class... To, class U, class... From>
void scan(Reproducible, const Array<T, To...>& destination, const Array<U, From...>& source,
          int d = 0, detail::Where where = detail::Where::here()) {
    detail::scanArrays(where, detail::Order::None, destination, source, std::plus<>(), d);
}

}  // namespace Adlib
}  // namespace hpspmd
