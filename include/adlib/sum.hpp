// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// sum, the total of elements or values.

#include <adlib/dimension_schedule.hpp>
#include <adlib/folded_sums.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct SumReduction {
    static constexpr const char* name = "sum";
    static constexpr const char* dimName = "sumDim";
    using Op = Plus;

    template <class T>
    static T convert(const T& element) {
        static_assert(!std::is_same_v<T, bool>, "count() counts the true elements");
        return element;
    }
};

/// Adlib::sumDim(result, array, d) of elements that have been added up already, if so.
template <class Res, class A>
void sumDim(const Res& result, const A& array, int d, FoldedSums& sums,
            Where where = Where::here()) {
    const double* const whole = sums.whole();
    if (whole == nullptr) return reduceDim<SumReduction>(where, d, result, array);
    DimensionReduction reduction =
        ElementReductionAlong<SumReduction, Res, A>::reduction(where, d, result, array);
    reduction.folded = whole;
    reduceDimension({SumReduction::dimName, where}, reduction);
}

}  // namespace detail

namespace Adlib {

/// The sum of all elements of an array, of an expression `overall (..) e` over all its locations,
/// or of one value per process of the APG; the same on all processes. A replicated array counts
/// once. Without elements: 0. Integers add modulo 2^n, so a result that fits is exact; the order of
/// floating-point additions is fixed for a process grid (reduction.hpp).
/// Errors (AdlibError): an array not contained in the APG, a mask not aligned with it. Thesis 3.5.
template <class X>
detail::ResultOf<detail::SumReduction, X> sum(const X& x,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::SumReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::SumReduction, A> sum(const A& array, const Array<const bool, M...>& mask,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::SumReduction>(array, mask, where);
}

/// result[..] = the sum of array[.., x, ..] over x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void sumDim(const Res& result, const A& array, int d, detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::SumReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void sumDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
            detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::SumReduction>(where, d, result, array, mask);
}

/// The schedule of sum(array) and sum(array, mask); execute() gives the value.
template <class A, class... M>
class Sum : public detail::ElementReductionSchedule<detail::SumReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::SumReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Sum(const A&, const M&...) -> Sum<A, M...>;

/// The schedule of sumDim(result, array, d) and sumDim(result, array, d, mask).
template <class Res, class A, class... M>
class SumDim : public detail::ElementDimensionSchedule<detail::SumReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::SumReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
SumDim(const Res&, const A&, int, const M&...) -> SumDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
