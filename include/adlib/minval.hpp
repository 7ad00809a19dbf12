// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// minval, the smallest element or value.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct MinvalReduction {
    static constexpr const char* name = "minval";
    static constexpr const char* dimName = "minvalDim";
    using Op = Min;

    template <class T>
    static T convert(const T& element) {
        return element;
    }
};

}  // namespace detail

namespace Adlib {

/// The smallest element of an array, value of an expression `overall (..) e`, or value of the
/// processes of the APG; the same on all processes. NaNs do not take part. Without elements:
/// infinity, for integers the highest one.
/// Errors (AdlibError): an array not contained in the APG, a mask not aligned with it. Thesis 3.5.
template <class X>
detail::ResultOf<detail::MinvalReduction, X> minval(const X& x,
                                                    detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::MinvalReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::MinvalReduction, A> minval(const A& array,
                                                    const Array<const bool, M...>& mask,
                                                    detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::MinvalReduction>(array, mask, where);
}

/// result[..] = the smallest array[.., x, ..] over x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void minvalDim(const Res& result, const A& array, int d,
               detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::MinvalReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void minvalDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
               detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::MinvalReduction>(where, d, result, array, mask);
}

/// The schedule of minval(array) and minval(array, mask); execute() gives the value.
template <class A, class... M>
class Minval : public detail::ElementReductionSchedule<detail::MinvalReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::MinvalReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Minval(const A&, const M&...) -> Minval<A, M...>;

/// The schedule of minvalDim(result, array, d) and minvalDim(result, array, d, mask).
template <class Res, class A, class... M>
class MinvalDim : public detail::ElementDimensionSchedule<detail::MinvalReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::MinvalReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
MinvalDim(const Res&, const A&, int, const M&...) -> MinvalDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
