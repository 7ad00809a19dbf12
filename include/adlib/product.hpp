// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// product of elements or values.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

struct ProductReduction {
    static constexpr const char* name = "product";
    static constexpr const char* dimName = "productDim";
    using Op = Times;

    template <class T>
    static T convert(const T& element) {
        static_assert(!std::is_same_v<T, bool>, "all() is the product of truth values");
        return element;
    }
};

}  // namespace detail

namespace Adlib {

/// The product of all elements of an array, of an expression `overall (..) e` over all its
/// locations, or of one value per process of the APG; the same on all processes. A replicated array
/// counts once. Without elements: 1. Integers multiply modulo 2^n; the order of floating-point
/// operations is fixed for a process grid (reduction.hpp). Errors (AdlibError): an array not
/// contained in the APG, a mask not aligned with it. Thesis 3.5.
template <class X>
detail::ResultOf<detail::ProductReduction, X> product(const X& x,
                                                      detail::Where where = detail::Where::here()) {
    return detail::reduceAny<detail::ProductReduction>(x, where);
}

/// Only the elements where the mask is true.
template <class A, class... M>
detail::ResultOf<detail::ProductReduction, A> product(const A& array,
                                                      const Array<const bool, M...>& mask,
                                                      detail::Where where = detail::Where::here()) {
    return detail::reduceMasked<detail::ProductReduction>(array, mask, where);
}

/// result[..] = the product of array[.., x, ..] over x in dimension d.
/// The result has the other dimensions, aligned with the array's, on the same group; so it is
/// replicated over the process dimension of d, and every copy is written.
/// Errors (AdlibError): not so aligned; not contained in the APG; no dimension d.
template <class Res, class A>
void productDim(const Res& result, const A& array, int d,
                detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::ProductReduction>(where, d, result, array);
}

template <class Res, class A, class... M>
void productDim(const Res& result, const A& array, int d, const Array<const bool, M...>& mask,
                detail::Where where = detail::Where::here()) {
    detail::reduceDim<detail::ProductReduction>(where, d, result, array, mask);
}

/// The schedule of product(array) and product(array, mask); execute() gives the value.
template <class A, class... M>
class Product : public detail::ElementReductionSchedule<detail::ProductReduction, A, M...> {
    using Base = detail::ElementReductionSchedule<detail::ProductReduction, A, M...>;

public:
    using Base::Base;
};
template <class A, class... M>
Product(const A&, const M&...) -> Product<A, M...>;

/// The schedule of productDim(result, array, d) and productDim(result, array, d, mask).
template <class Res, class A, class... M>
class ProductDim : public detail::ElementDimensionSchedule<detail::ProductReduction, Res, A, M...> {
public:
    using detail::ElementDimensionSchedule<detail::ProductReduction, Res, A,
                                           M...>::ElementDimensionSchedule;
};
template <class Res, class A, class... M>
ProductDim(const Res&, const A&, int, const M&...) -> ProductDim<Res, A, M...>;

}  // namespace Adlib
}  // namespace hpspmd
