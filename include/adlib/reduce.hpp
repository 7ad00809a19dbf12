// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// reduce, a reduction by the user's own operation.

#include <adlib/dimension_schedule.hpp>
#include <adlib/operators.hpp>
#include <adlib/reduction_schedule.hpp>

namespace hpspmd {
namespace detail {

template <class Op, class T>
constexpr void requireOperation() {
    static_assert(std::is_invocable_r_v<T, const Op&, const T&, const T&>,
                  "the operation of reduce takes two elements and gives one");
    static_assert(std::is_trivially_copyable_v<T>,
                  "what is reduced over processes must be trivially copyable");
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

/// The value of such a reduction, which is what travels, and the operation.
template <class Op, class T, bool masked>
struct StateByOperation {
    T value;
    const Op* op;

    Accumulator accumulator() {
        return {this, sizeof value, take, {combineByOperation<T, Op>, op}};
    }

    static void take(void* state, const Row& row) {
        auto& total = *static_cast<StateByOperation*>(state);
        for (Index t = 0; t < row.count; ++t) {
            if constexpr (masked)
                if (!row.at<const bool>(1, t)) continue;
            total.value = (*total.op)(total.value, row.at<const T>(0, t));
        }
    }
};

/// Held is the operation, or a reference to it.
template <class Held, class A, class... M>
struct ReductionByOperation {
    using T = Reduced<A>;
    using State = StateByOperation<std::decay_t<Held>, T, sizeof...(M) == 1>;
    static constexpr const char* name = "reduce";

    Held op;
    T identity;

    static Operands operands(Where where, const A& array, const M&... mask) {
        return operandsOf(where, array, mask...);
    }
    State begin(Order) const {
        requireOperation<std::decay_t<Held>, T>();
        return {identity, &op};
    }
    static T value(const State& state, const A&, const M&...) { return state.value; }
};

template <class X, class Op, class... M>
Reduced<X> reduceByOperation(Where where, const X& x, const Op& op, const Reduced<X>& identity,
                             const M&... mask) {
    using T = Reduced<X>;
    requireOperation<Op, T>();
    if constexpr (isArray<X>) {
        const ReductionByOperation<const Op&, X, M...> form{op, identity};
        return reduceBy(form, usualOrder(), where, x, mask...);
    } else {
        T total = identity;
        const Combiner combiner{combineByOperation<T, Op>, &op};
        if constexpr (isOverall<X>) {
            x.forEach([&](const T& value, const auto&...) { total = op(total, value); });
            combineOverRanges({"reduce", where}, x.ranges(), &total, sizeof total, combiner);
        } else {
            total = op(total, x);
            combineOverApg({"reduce", where}, &total, sizeof total, combiner);
        }
        return total;
    }
}

/// Held is the operation, or a reference to it.
template <class Held, class Res, class A, class... M>
struct ReductionAlongByOperation {
    using T = Reduced<A>;
    using Op = std::decay_t<Held>;
    static constexpr const char* name = "reduceDim";
    static constexpr bool hasExactForm = false;

    Held op;
    T identity;

    DimensionReduction reduction(Where where, int d, const Res& result, const A& array,
                                 const M&... mask) const {
        requireOperation<Op, T>();
        DimensionReduction reduction =
            dimensionReductionTo(where, d, identity, result, operandsOf(where, array, mask...));
        reduction.take = takeDimensionRowByOperation<T, Op, sizeof...(M) == 1>;
        reduction.combiner = {combineByOperation<T, Op>, &op};
        return reduction;
    }
};

template <class Res, class A, class Op, class... M>
void reduceDimByOperation(Where where, const Res& result, const A& array, int d, const Op& op,
                          const Reduced<A>& identity, const M&... mask) {
    const ReductionAlongByOperation<const Op&, Res, A, M...> form{op, identity};
    reduceAlong(form, usualOrder(), where, d, result, array, mask...);
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

/// The schedule of reduce(array, op, identity) and reduce(array, op, identity, mask); execute()
/// gives the value.
template <class A, class Op, class... M>
class Reduce
    : public detail::ReductionSchedule<detail::ReductionByOperation<Op, A, M...>, A, M...> {
    using Form = detail::ReductionByOperation<Op, A, M...>;

public:
    Reduce(const A& array, Op op, const detail::Reduced<A>& identity, const M&... mask,
           detail::Where where = detail::Where::here())
        : detail::ReductionSchedule<Form, A, M...>(Form{op, identity}, where, array, mask...) {}
};
template <class A, class Op, class... M>
Reduce(const A&, Op, const detail::Reduced<A>&, const M&...) -> Reduce<A, Op, M...>;

/// The schedule of reduceDim(result, array, d, op, identity) and reduceDim(result, array, d, op,
/// identity, mask).
template <class Res, class A, class Op, class... M>
class ReduceDim
    : public detail::DimensionSchedule<detail::ReductionAlongByOperation<Op, Res, A, M...>, Res, A,
                                       M...> {
    using Form = detail::ReductionAlongByOperation<Op, Res, A, M...>;

public:
    ReduceDim(const Res& result, const A& array, int d, Op op, const detail::Reduced<A>& identity,
              const M&... mask, detail::Where where = detail::Where::here())
        : detail::DimensionSchedule<Form, Res, A, M...>(Form{op, identity}, where, d, result, array,
                                                        mask...) {}
};
template <class Res, class A, class Op, class... M>
ReduceDim(const Res&, const A&, int, Op, const detail::Reduced<A>&, const M&...)
    -> ReduceDim<Res, A, Op, M...>;

}  // namespace Adlib
}  // namespace hpspmd
