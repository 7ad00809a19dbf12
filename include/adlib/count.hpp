// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// count, the number of elements or values that are true.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct CountReduction {
    static constexpr const char* name = "count";
    static constexpr const char* dimName = "countDim";
    using Op = Plus;

    template <class T>
    static Index convert(const T& element) {
        return static_cast<bool>(element) ? 1 : 0;
    }
};

}  // namespace detail

namespace Adlib {

/// The number of true elements of an array, true values of an expression `overall (..) e`, or
/// processes of the APG whose value is true; the same on all processes. A replicated array counts
/// once.
/// Errors (AdlibError): an array not contained in the APG, a mask not aligned with it.
template <class X>
detail::ResultOf<detail::CountReduction, X> count(const X& x,
                                                  detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::CountReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::CountReduction, A> count(const A& array,
                                                  const Array<const bool, M...>& mask,
                                                  detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::CountReduction>(array, mask, where);
}

/// result[..] = the number of x in dimension d with array[.., x, ..] true; its elements are Index.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void countDim(const Res& result, const A& array, int d,
              detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::CountReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void countDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
              detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::CountReduction>(where, d, result, array, mask);
}

/// The schedule of count(array) and count(array, mask); execute() gives the value.
template <class A, class... M>
class Count : public detail::ElementReductionSchedule<detail::CountReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::CountReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Count(const A&, const M&...) -> Count<A, M...>;

/// The schedule of countDim(result, array, d) and countDim(result, array, d, mask).
template <class Res, class A, class... M>
class CountDim : public detail::ElementDimensionSchedule<detail::CountReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::CountReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
CountDim(const Res&, const A&, int, const M&...) -> CountDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
