// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// all, true if all elements or values are.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct AllReduction {
    static constexpr const char* name = "all";
    static constexpr const char* dimName = "allDim";
    using Op = And;

    template <class T>
    static bool convert(const T& element) {
        return static_cast<bool>(element);
    }
};

}  // namespace detail

namespace Adlib {

/// True if all elements of an array, all values of an expression `overall (..) e`, or the values of
/// all processes of the APG are true. The same on all processes. Without elements: true.
/// Errors (AdlibError): an array not contained in the APG, a mask not aligned with it.
template <class X>
detail::ResultOf<detail::AllReduction, X> all(const X& x,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::AllReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::AllReduction, A> all(const A& array, const Array<const bool, M...>& mask,
                                              detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::AllReduction>(array, mask, where);
}

/// result[..] is true if array[.., x, ..] is true for all x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void allDim(const Res& result, const A& array, int d, detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::AllReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void allDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
            detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::AllReduction>(where, d, result, array, mask);
}

/// The schedule of all(array) and all(array, mask); execute() gives the value.
template <class A, class... M>
class All : public detail::ElementReductionSchedule<detail::AllReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::AllReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
All(const A&, const M&...) -> All<A, M...>;

/// The schedule of allDim(result, array, d) and allDim(result, array, d, mask).
template <class Res, class A, class... M>
class AllDim : public detail::ElementDimensionSchedule<detail::AllReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::AllReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
AllDim(const Res&, const A&, int, const M&...) -> AllDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
