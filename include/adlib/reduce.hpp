#pragma once
/// reduce, a reduction by the user's own operation.

#include <adlib/dimension_reduction.hpp>
#include <adlib/operators.hpp>

namespace hpspmd {
namespace detail {

/// The state of such a reduction: the value, which is what travels, and the operation.
template <class T, class Op>
struct ByOperation {
    T value;
    const Op* op;
};

template <class T, class Op, bool masked>
void takeRowByOperation(void* state, const Row& row) {
    auto& total = *static_cast<ByOperation<T, Op>*>(state);
    for (Index t = 0; t < row.count; ++t) {
        if constexpr (masked)
            if (!row.at<const bool>(1, t)) continue;
        total.value = (*total.op)(total.value, row.at<const T>(0, t));
    }
}

/// Places: result, array, mask; the context is the operation.
template <class T, class Op, bool masked>
void takeDimensionRowByOperation(void* context, const Row& row) {
    const Op& op = *static_cast<const Op*>(context);
    for (Index t = 0; t < row.count; ++t) {
        if constexpr (masked)
            if (!row.at<const bool>(2, t)) continue;
        T& total = row.at<T>(0, t);
        total = op(total, row.at<const T>(1, t));
    }
}

template <class T, class Op>
void combineByOperation(void* left, const void* right, std::size_t bytes, const void* context) {
    const Op& op = *static_cast<const Op*>(context);
    T* mine = static_cast<T*>(left);
    const T* other = static_cast<const T*>(right);
    for (std::size_t k = 0; k < bytes / sizeof(T); ++k) mine[k] = op(mine[k], other[k]);
}

template <class X, class Op, class... M>
Reduced<X> reduceByOperation(Where where, const X& x, const Op& op, const Reduced<X>& identity,
                             const M&... mask) {
    using T = Reduced<X>;
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of reduce takes two elements and gives one");
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is reduced over processes must be trivially copyable");
    ByOperation<T, Op> state{identity, &op};
    const Combiner combiner{combineByOperation<T, Op>, &op};
    if constexpr (isArray<X>) {
        reduceArrays({"reduce", where}, operandsOf(where, x, mask...),
                     {&state, sizeof(T), takeRowByOperation<T, Op, sizeof...(M) == 1>, combiner});
    } else if constexpr (isOverall<X>) {
        x.forEach([&](const T& value, const auto&...) { state.value = op(state.value, value); });
        combineOverRanges({"reduce", where}, x.ranges(), &state.value, sizeof(T), combiner);
    } else {
        state.value = op(state.value, x);
        combineOverApg({"reduce", where}, &state.value, sizeof(T), combiner);
    }
    return state.value;
}

template <class Res, class A, class Op, class... M>
void reduceDimByOperation(Where where, const Res& result, const A& array, int d, const Op& op,
                          const Reduced<A>& identity, const M&... mask) {
    using T = Reduced<A>;
    static_assert(std::is_same_v<typename Res::Element, T>,
                  "the result has the element type of the array");
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of reduceDim takes two elements and gives one");
    DimensionReduction reduction = dimensionReductionTo(where, d, identity, result);
    const Operands reduced = operandsOf(where, array, mask...);
    for (int k = 0; k < reduced.count; ++k)
        reduction.operands.list[reduction.operands.count++] = reduced.list[k];
    reduction.take = takeDimensionRowByOperation<T, Op, sizeof...(M) == 1>;
    reduction.combiner = {combineByOperation<T, Op>, &op};
    reduceDimension({"reduceDim", where}, reduction);
}

}  // namespace detail

namespace Adlib {

/// op of all elements of an array, of an expression `overall (..) e` over all its locations, or of
/// one value per process of the APG; the same on all processes. `op(a, b)` must be associative and
/// commutative, and `identity` change nothing; without elements it is the result. The order is
/// fixed for a process grid: each process row by row, then in rank order. Example: `reduce(a,
/// [](int x, int y) { return x ^ y; }, 0)`. Errors (AdlibError): an array not contained in the APG,
/// a mask not aligned with it.
template <class X, class Op>
detail::Reduced<X> reduce(const X& x, const Op& op, const detail::Reduced<X>& identity,
                          detail::Where where = detail::Where::here()) {
    return detail::reduceByOperation(where, x, detail::callable(op), identity);
}

/// Only the elements where the mask is true.
template <class A, class Op, class... M>
detail::Reduced<A> reduce(const A& array, const Op& op, const detail::Reduced<A>& identity,
                          const Array<const bool, M...>& mask,
                          detail::Where where = detail::Where::here()) {
    static_assert(detail::isArray<A>, "only a reduction of an array takes a mask");
    return detail::reduceByOperation(where, array, detail::callable(op), identity, mask);
}

/// result[..] = op of array[.., x, ..] over x in dimension d; the result as in sumDim.
template <class Res, class A, class Op>
void reduceDim(const Res& result, const A& array, int d, const Op& op,
               const detail::Reduced<A>& identity, detail::Where where = detail::Where::here()) {
    detail::reduceDimByOperation(where, result, array, d, detail::callable(op), identity);
}

template <class Res, class A, class Op, class... M>
void reduceDim(const Res& result, const A& array, int d, const Op& op,
               const detail::Reduced<A>& identity, const Array<const bool, M...>& mask,
               detail::Where where = detail::Where::here()) {
    detail::reduceDimByOperation(where, result, array, d, detail::callable(op), identity, mask);
}

}  // namespace Adlib
}  // namespace hpspmd
