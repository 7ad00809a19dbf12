// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// maxloc, the largest element and where it is.

#include <adlib/located.hpp>

namespace hpspmd {
namespace detail {

struct MaxlocReduction {
    static constexpr const char* name = "maxloc";
    static constexpr const char* dimName = "maxlocDim";
    using Op = Max;
};

}  // namespace detail

namespace Adlib {

/// The largest element of an array, or value of an expression `overall (..) e`, and its global
/// indices:
///     auto [value, location] = Adlib::maxloc(a);
/// The same on all processes of the APG. Of equal elements the first one in row-major order is
/// taken; NaNs do not take part. Errors (AdlibError): an array not contained in the APG, a mask not
/// aligned with it. Thesis 3.5.
template <class X>
auto maxloc(const X& x, detail::Where where = detail::Where::here()) {
    static_assert(detail::isArray<X> || detail::isOverall<X>,
                  "maxloc takes an array or an overall expression");
    if constexpr (detail::isArray<X>)
        return detail::locate<detail::MaxlocReduction>(where, x);
    else
        return detail::locateInExpression<detail::MaxlocReduction>(where, x);
}

/// Only the elements where the mask is true.
template <class A, class... M>
auto maxloc(const A& array, const Array<const bool, M...>& mask,
            detail::Where where = detail::Where::here()) {
    return detail::locate<detail::MaxlocReduction>(where, array, mask);
}

/// result[..] = the largest array[.., x, ..] over x in dimension d, location[..] = the first such
/// x. Both as the result of maxvalDim; the elements of `location` are integers of any type.
template <class Res, class Loc, class A>
void maxlocDim(const Res& result, const Loc& location, const A& array, int d,
               detail::Where where = detail::Where::here()) {
    detail::locateDim<detail::MaxlocReduction>(where, result, location, array, d);
}

template <class Res, class Loc, class A, class... M>
void maxlocDim(const Res& result, const Loc& location, const A& array, int d,
               const Array<const bool, M...>& mask, detail::Where where = detail::Where::here()) {
    detail::locateDim<detail::MaxlocReduction>(where, result, location, array, d, mask);
}

/// The schedule of maxloc(array) and maxloc(array, mask); execute() gives both.
template <class A, class... M>
class Maxloc
    : public detail::ReductionSchedule<detail::LocatedForm<detail::MaxlocReduction, A, M...>, A,
                                       M...> {
public:
    using detail::ReductionSchedule<detail::LocatedForm<detail::MaxlocReduction, A, M...>, A,
                                    M...>::ReductionSchedule;
};
template <class A, class... M>
Maxloc(const A&, const M&...) -> Maxloc<A, M...>;

/// The schedule of maxlocDim(result, location, array, d) and maxlocDim(result, location, array, d,
/// mask).
template <class Res, class Loc, class A, class... M>
class MaxlocDim : public detail::LocatedSchedule<detail::MaxlocReduction, Res, Loc, A, M...> {
public:
    using detail::LocatedSchedule<detail::MaxlocReduction, Res, Loc, A, M...>::LocatedSchedule;
};
template <class Res, class Loc, class A, class... M>
MaxlocDim(const Res&, const Loc&, const A&, int, const M&...) -> MaxlocDim<Res, Loc, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
