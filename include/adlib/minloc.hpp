// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// minloc, the smallest element and where it is.

#include <adlib/located.hpp>

namespace hpspmd {
namespace detail {

struct MinlocReduction {
    static constexpr const char* name = "minloc";
    static constexpr const char* dimName = "minlocDim";
    using Op = Min;
};

}  // namespace detail

namespace Adlib {

/// The smallest element of an array, or value of an expression `overall (..) e`, and its global
/// indices:
///     auto [value, location] = Adlib::minloc(a);
/// The same on all processes of the APG. Of equal elements the first one in row-major order is
/// taken; NaNs do not take part. Errors (AdlibError): an array not contained in the APG, a mask not
/// aligned with it. Thesis 3.5.
template <class X>
auto minloc(const X& x, detail::Where where = detail::Where::here()) {
    static_assert(detail::isArray<X> || detail::isOverall<X>,
                  "minloc takes an array or an overall expression");
    if constexpr (detail::isArray<X>)
        return detail::locate<detail::MinlocReduction>(where, x);
    else
        return detail::locateInExpression<detail::MinlocReduction>(where, x);
}

/// Only the elements where the mask is true.
template <class A, class... M>
auto minloc(const A& array, const Array<const bool, M...>& mask,
            detail::Where where = detail::Where::here()) {
    return detail::locate<detail::MinlocReduction>(where, array, mask);
}

/// result[..] = the smallest array[.., x, ..] over x in dimension d, location[..] = the first such
/// x. Both as the result of minvalDim; the elements of `location` are integers of any type.
template <class Res, class Loc, class A>
void minlocDim(const Res& result, const Loc& location, const A& array, int d,
               detail::Where where = detail::Where::here()) {
    detail::locateDim<detail::MinlocReduction>(where, result, location, array, d);
}

template <class Res, class Loc, class A, class... M>
void minlocDim(const Res& result, const Loc& location, const A& array, int d,
               const Array<const bool, M...>& mask, detail::Where where = detail::Where::here()) {
    detail::locateDim<detail::MinlocReduction>(where, result, location, array, d, mask);
}

/// The schedule of minloc(array) and minloc(array, mask); execute() gives both.
template <class A, class... M>
class Minloc
    : public detail::ReductionSchedule<detail::LocatedForm<detail::MinlocReduction, A, M...>, A,
                                       M...> {
public:
    using detail::ReductionSchedule<detail::LocatedForm<detail::MinlocReduction, A, M...>, A,
                                    M...>::ReductionSchedule;
};
template <class A, class... M>
Minloc(const A&, const M&...) -> Minloc<A, M...>;

/// The schedule of minlocDim(result, location, array, d) and minlocDim(result, location, array, d,
/// mask).
template <class Res, class Loc, class A, class... M>
class MinlocDim : public detail::LocatedSchedule<detail::MinlocReduction, Res, Loc, A, M...> {
public:
    using detail::LocatedSchedule<detail::MinlocReduction, Res, Loc, A, M...>::LocatedSchedule;
};
template <class Res, class Loc, class A, class... M>
MinlocDim(const Res&, const Loc&, const A&, int, const M&...) -> MinlocDim<Res, Loc, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
