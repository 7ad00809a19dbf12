#pragma once
/// dotProduct, the sum of the products of two arrays' elements.

#include <adlib/dimension_reduction.hpp>

namespace hpspmd {
namespace detail {

template <class T, class U>
struct DotProductReduction {
    static constexpr const char* name = "dotProduct";
    static constexpr const char* dimName = "dotProductDim";
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

template <class A, class B>
using DotProductOf = DotProductReduction<Reduced<A>, Reduced<B>>;

/// a, b and perhaps a mask, from place `first` on.
template <class A, class B, class... M>
void appendFactors(Operands& operands, Where where, const A& a, const B& b, const M&... mask) {
    static_assert(isArray<A> && isArray<B>, "dotProduct takes two arrays");
    static_assert(A::rank() == B::rank(), "the arrays of a dotProduct have the same rank");
    operands.list[operands.count++] = operand("first array", a, where);
    operands.list[operands.count++] = operand("second array", b, where);
    if constexpr (sizeof...(M) == 1)
        operands.list[operands.count++] = operandsOf(where, a, mask...).list[1];
}

template <class A, class B, class... M>
Operands factors(Where where, const A& a, const B& b, const M&... mask) {
    Operands operands;
    appendFactors(operands, where, a, b, mask...);
    return operands;
}

template <class A, class B, class... M>
auto dotProductOf(Where where, Order order, const A& a, const B& b, const M&... mask) {
    using F = DotProductOf<A, B>;
    return accumulated<typename F::Op, typename F::Result, typename F::template Term<0>,
                       sizeof...(M) == 1>(order, [&](const Accumulator& over) {
        reduceArrays({F::name, where}, factors(where, a, b, mask...), over);
    });
}

template <class Res, class A, class B, class... M>
void dotProductDimOf(Where where, const Res& result, const A& a, const B& b, int d,
                     const M&... mask) {
    using F = DotProductOf<A, B>;
    using Result = typename F::Result;
    if constexpr (hasBinnedForm<typename F::Op, Result>) {
        if (usualOrder() == Order::None)
            return sumDimBinned<Result, typename F::template Term<1>, sizeof...(M) == 1>(
                {F::dimName, where}, d, result,
                [&](Operands& operands) { appendFactors(operands, where, a, b, mask...); });
    }
    static_assert(std::is_same_v<typename Res::Element, Result>,
                  "the result array has the wrong element type for this dotProductDim");
    const Result identity = F::Op::template identity<Result>();
    DimensionReduction reduction = dimensionReductionTo(where, d, identity, result);
    appendFactors(reduction.operands, where, a, b, mask...);
    reduction.take =
        takeDimensionRow<typename F::Op, Result, typename F::template Term<1>, sizeof...(M) == 1>;
    reduction.combiner = {combineValues<typename F::Op, Result>, nullptr};
    reduceDimension({F::dimName, where}, reduction);
}

}  // namespace detail

namespace Adlib {

/// The sum of a[x, ..] * b[x, ..] over all x of two aligned arrays; the same on all processes of
/// the APG. The type of the result is Index for two arrays of integers, bool for two of bool (is
/// there an x where both are true?), else that of the product. Complex elements are not conjugated.
/// Replicated arrays count once. Without elements: 0. Errors (AdlibError): arrays not aligned or
/// not contained in the APG. Thesis 3.5.
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

/// The schedule of dotProduct(a, b) and dotProduct(a, b, mask).
template <class A, class B, class... M>
class DotProduct {
    using F = detail::DotProductOf<A, B>;

public:
    explicit DotProduct(const A& a, const B& b, const M&... mask,
                        detail::Where where = detail::Where::here())
        : arrays_(a, b, mask...),
          rows_(detail::makeRows({"DotProduct", where}, detail::factors(where, a, b, mask...))) {}

    typename F::Result execute(detail::Where where = detail::Where::here()) {
        return detail::accumulated<typename F::Op, typename F::Result, typename F::template Term<0>,
                                   sizeof...(M) == 1>(
            detail::usualOrder(), [&](const detail::Accumulator& over) {
                std::apply(
                    [&](const auto&... arrays) {
                        detail::reduceRows(*rows_, {"dotProduct", where},
                                           detail::factors(where, arrays...), over);
                    },
                    arrays_);
            });
    }

    /// execute() in two halves: the local part, and the value. Several may be under way; the oldest
    /// is finished first.
    void start(detail::Where where = detail::Where::here()) {
        underWay_.start([&](detail::ReductionUnderWay& reduction, State& state) {
            const detail::Accumulator over = state.begin(detail::usualOrder());
            std::apply(
                [&](const auto&... arrays) {
                    detail::startReduction(reduction, *rows_, {"dotProduct", where},
                                           detail::factors(where, arrays...), over);
                },
                arrays_);
        });
    }
    typename F::Result finish(detail::Where where = detail::Where::here()) {
        return underWay_.finish({"dotProduct", where}).value();
    }

private:
    using State = detail::ReductionState<typename F::Op, typename F::Result,
                                         typename F::template Term<0>, sizeof...(M) == 1>;

    std::tuple<A, B, M...> arrays_;
    detail::RowsHandle rows_;
    detail::ReductionsUnderWay<State> underWay_;
};
template <class A, class B, class... M>
DotProduct(const A&, const B&, const M&...) -> DotProduct<A, B, M...>;

}  // namespace Adlib
}  // namespace hpspmd
