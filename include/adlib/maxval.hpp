// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// maxval, the largest element or value.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct MaxvalReduction {
    static constexpr const char* name = "maxval";
    static constexpr const char* dimName = "maxvalDim";
    using Op = Max;

    template <class T>
    static T convert(const T& element) {
        return element;
    }
};

}  // namespace detail

namespace Adlib {

/// The largest element of an array, value of an expression `overall (..) e`, or value of the
/// processes of the APG; the same on all processes. NaNs do not take part. Without elements:
/// -infinity, for integers the lowest one. Errors (AdlibError): an array not contained in the APG,
/// a mask not aligned with it. Thesis 3.5.
template <class X>
detail::ResultOf<detail::MaxvalReduction, X> maxval(const X& x,
                                                    detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::MaxvalReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::MaxvalReduction, A> maxval(const A& array,
                                                    const Array<const bool, M...>& mask,
                                                    detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::MaxvalReduction>(array, mask, where);
}

/// result[..] = the largest array[.., x, ..] over x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void maxvalDim(const Res& result, const A& array, int d,
               detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::MaxvalReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void maxvalDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
               detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::MaxvalReduction>(where, d, result, array, mask);
}

/// The schedule of maxval(array) and maxval(array, mask); execute() gives the value.
template <class A, class... M>
class Maxval : public detail::ElementReductionSchedule<detail::MaxvalReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::MaxvalReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Maxval(const A&, const M&...) -> Maxval<A, M...>;

/// The schedule of maxvalDim(result, array, d) and maxvalDim(result, array, d, mask).
template <class Res, class A, class... M>
class MaxvalDim : public detail::ElementDimensionSchedule<detail::MaxvalReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::MaxvalReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
MaxvalDim(const Res&, const A&, int, const M&...) -> MaxvalDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
