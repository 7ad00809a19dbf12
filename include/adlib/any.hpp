// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// any, true if one of the elements or values is.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct AnyReduction {
    static constexpr const char* name = "any";
    static constexpr const char* dimName = "anyDim";
    using Op = Or;

    template <class T>
    static bool convert(const T& element) {
        return static_cast<bool>(element);
    }
};

}  // namespace detail

namespace Adlib {

/// True if an element of an array, a value of an expression `overall (..) e`, or the value of a
/// process of the APG is true. The same on all processes. Without elements: false. Errors
/// (AdlibError): an array not contained in the APG, a mask not aligned with it.
template <class X>
detail::ResultOf<detail::AnyReduction, X> any(const X& x,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::AnyReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::AnyReduction, A> any(const A& array, const Array<const bool, M...>& mask,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::AnyReduction>(array, mask, where);
}

/// result[..] is true if array[.., x, ..] is true for an x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void anyDim(const Res& result, const A& array, int d, detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::AnyReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void anyDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
            detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::AnyReduction>(where, d, result, array, mask);
}

/// The schedule of any(array) and any(array, mask); execute() gives the value.
template <class A, class... M>
class Any : public detail::ElementReductionSchedule<detail::AnyReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::AnyReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Any(const A&, const M&...) -> Any<A, M...>;

/// The schedule of anyDim(result, array, d) and anyDim(result, array, d, mask).
template <class Res, class A, class... M>
class AnyDim : public detail::ElementDimensionSchedule<detail::AnyReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::AnyReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
AnyDim(const Res&, const A&, int, const M&...) -> AnyDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
