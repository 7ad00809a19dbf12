// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// dotProduct, the sum of the products of two arrays' elements.

#include <adlib/dimension_schedule.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

template <class T, class U>
struct DotProductReduction {
    static constexpr bool isLogical = std::is_same_v<T, bool> && std::is_same_v<U, bool>;
    static constexpr bool isInteger = std::is_integral_v<T> && std::is_integral_v<U>;

    using Op = std::conditional_t<isLogical, Or, Plus>;
    using Result = std::conditional_t<
        isLogical, bool,
        std::conditional_t<isInteger, Index, decltype(std::declval<T>() * std::declval<U>())>>;

    /// The two arrays stand at `place` and the place after it.
    template <int place>
    struct Term {
        static constexpr int arrays = place + 2;
        static constexpr bool isElement = false;
        using Factor = std::conditional_t<std::is_same_v<T, U>, T, void>;
        static Result value(const Row& row, Index t) {
            const T& a = row.at<const T>(place, t);
            const U& b = row.at<const U>(place + 1, t);
            if constexpr (isInteger)
                return Times::combine<Result>(static_cast<Result>(a), static_cast<Result>(b));
            else
                return a * b;
        }
    };
};

/// Wherever their elements are.
template <class A, class B>
Operands factorsAnywhere(Where where, const A& a, const B& b) {
    static_assert(isArray<A> && isArray<B>, "dotProduct takes two arrays");
    static_assert(A::rank() == B::rank(), "the arrays of a dotProduct have the same rank");
    return {{operandAnywhere("first array", a, where), operandAnywhere("second array", b, where)},
            2};
}

/// a, b and perhaps a mask.
template <class A, class B, class... M>
Operands factors(Where where, const A& a, const B& b, const M&... mask) {
    Operands operands = factorsAnywhere(where, a, b);
    atHome(where, reads(a), reads(b));
    if constexpr (sizeof...(M) == 1)
        operands.list[operands.count++] = operandsOf(where, a, mask...).list[1];
    return operands;
}

template <class A, class B, class... M>
struct DotProductForm {
    using F = DotProductReduction<Reduced<A>, Reduced<B>>;
    using State = ReductionState<typename F::Op, typename F::Result, typename F::template Term<0>,
                                 sizeof...(M) == 1>;
    static constexpr const char* name = "dotProduct";

    static Operands operands(Where where, const A& a, const B& b, const M&... mask) {
        if constexpr (sizeof...(M) == 0)
            return factorsAnywhere(where, a, b);
        else
            return factors(where, a, b, mask...);
    }
    static State begin(Order order) { return State(order); }
    static typename F::Result value(const State& state, const A&, const B&, const M&...) {
        return state.value();
    }
};

template <class A, class B, class... M>
auto dotProductOf(Where where, Order order, const A& a, const B& b, const M&... mask) {
    return reduceBy(DotProductForm<A, B, M...>(), order, where, a, b, mask...);
}

template <class Res, class A, class B, class... M>
struct DotProductAlong {
    using F = DotProductReduction<Reduced<A>, Reduced<B>>;
    using Op = typename F::Op;
    using Result = typename F::Result;
    using Term = typename F::template Term<1>;
    static constexpr bool masked = sizeof...(M) == 1;
    static constexpr const char* name = "dotProductDim";
    static constexpr bool hasExactForm = hasBinnedForm<Op, Result>;

    template <class Into>
    static DimensionReduction reduction(Where where, int d, const Into& result, const A& a,
                                        const B& b, const M&... mask) {
        return dimensionReductionOf<Op, Result, Term, masked>(where, d, result,
                                                              factors(where, a, b, mask...));
    }
};

template <class Res, class A, class B, class... M>
void dotProductDimOf(Where where, const Res& result, const A& a, const B& b, int d,
                     const M&... mask) {
    reduceAlong(DotProductAlong<Res, A, B, M...>(), usualOrder(), where, d, result, a, b, mask...);
}

}  // namespace detail

namespace Adlib {

/// The sum of a[x, ..] * b[x, ..] over all x of two aligned arrays; the same on all processes of
/// the APG. The type of the result is Index for two arrays of integers, bool for two of bool (true
/// if there is an x where both are true), else that of the product. Complex elements are not
/// conjugated. Replicated arrays count once. Without elements: 0. Errors (AdlibError): arrays not
/// aligned or not contained in the APG. Thesis 3.5.
template <class A, class B>
auto dotProduct(const A& a, const B& b, detail::Where where = detail::Where::here()) {
    return detail::dotProductOf(where, detail::usualOrder(), a, b);
}

/// Only the x where the mask is true.
template <class A, class B, class... M>
auto dotProduct(const A& a, const B& b, const Array<const bool, M...>& mask,
                detail::Where where = detail::Where::here()) {
    return detail::dotProductOf(where, detail::usualOrder(), a, b, mask);
}

/// result[..] = the sum of a[.., x, ..] * b[.., x, ..] over x in dimension d; the result as in
/// sumDim.
template <class Res, class A, class B>
void dotProductDim(const Res& result, const A& a, const B& b, int d,
                   detail::Where where = detail::Where::here()) {
    detail::dotProductDimOf(where, result, a, b, d);
}

template <class Res, class A, class B, class... M>
void dotProductDim(const Res& result, const A& a, const B& b, int d,
                   const Array<const bool, M...>& mask,
                   detail::Where where = detail::Where::here()) {
    detail::dotProductDimOf(where, result, a, b, d, mask);
}

/// The schedule of dotProduct(a, b) and dotProduct(a, b, mask); execute() gives the value.
template <class A, class B, class... M>
class DotProduct
    : public detail::ReductionSchedule<detail::DotProductForm<A, B, M...>, A, B, M...> {
public:
    using detail::ReductionSchedule<detail::DotProductForm<A, B, M...>, A, B,
                                    M...>::ReductionSchedule;
};
template <class A, class B, class... M>
DotProduct(const A&, const B&, const M&...) -> DotProduct<A, B, M...>;

/// The schedule of dotProductDim(result, a, b, d) and dotProductDim(result, a, b, d, mask).
template <class Res, class A, class B, class... M>
class DotProductDim
    : public detail::DimensionSchedule<detail::DotProductAlong<Res, A, B, M...>, Res, A, B, M...> {
    using Form = detail::DotProductAlong<Res, A, B, M...>;

public:
    DotProductDim(const Res& result, const A& a, const B& b, int d, const M&... mask,
                  detail::Where where = detail::Where::here())
        : detail::DimensionSchedule<Form, Res, A, B, M...>(Form(), where, d, result, a, b,
                                                           mask...) {}
};
template <class Res, class A, class B, class... M>
DotProductDim(const Res&, const A&, const B&, int, const M&...) -> DotProductDim<Res, A, B, M...>;

}  // namespace Adlib
}  // namespace hpspmd
