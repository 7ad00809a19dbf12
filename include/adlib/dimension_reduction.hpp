#pragma once
/// The frame of reductions along one dimension.

#include <adlib/reduction.hpp>

namespace hpspmd::detail {

/// result, array, and perhaps a mask (place 2); `take` combines rows of the array into the result.
struct DimensionReduction {
    Operands operands;
    int d;
    const void* identity;  ///< a result element without contributions
    TakeRow take;
    Combiner combiner;
};

/// The inspector's result.
class DimensionRows;
struct DeleteDimensionRows {
    void operator()(DimensionRows* rows) const;
};
using DimensionRowsHandle = std::unique_ptr<DimensionRows, DeleteDimensionRows>;

DimensionRowsHandle makeDimensionRows(const Call& call, const Operands& operands, int d);
void reduceDimension(DimensionRows& rows, const DimensionReduction& reduction);
/// Both steps, with the rows from the APG's cache.
void reduceDimension(const Call& call, const DimensionReduction& reduction);

/// Combines a row of the array into the result, whose step is 0 if the row runs along d.
template <class Op, class Result, class Term, bool masked>
void takeDimensionRow(void*, const Row& row) {
    const RowValues<Op, Result, Term, masked> values{row};
    if (row.step[0] == 0) {
        Result& total = row.at<Result>(0, 0);
        total = Op::combine(total, combineRow<Op, Result>(row.count, values));
        return;
    }
    for (Index t = 0; t < row.count; ++t) {
        Result& total = row.at<Result>(0, t);
        total = Op::combine(total, values(t));
    }
}

template <class Res, class T, class... S, class... M>
Operands dimensionOperands(Where where, const Res& result, const Array<T, S...>& array,
                           const M&... mask) {
    static_assert(isArray<Res>, "the result of a reduction along a dimension is an array");
    static_assert(Res::rank() == static_cast<int>(sizeof...(S)) - 1,
                  "the result of a reduction along a dimension has one dimension less");
    static_assert(!std::is_const_v<typename Res::Element>, "the result must not be const");
    Operands operands{{operand("result", result, where), operand("array", array, where)}, 2};
    if constexpr (sizeof...(M) == 1)
        operands.list[2] = operandsOf(where, array, mask...).list[1], operands.count = 3;
    return operands;
}

template <class F, class Res, class A, class... M>
DimensionReduction dimensionReduction(Where where, int d, const Res& result, const A& array,
                                      const M&... mask) {
    using Op = typename F::Op;
    using Result = ResultOf<F, A>;
    static_assert(std::is_same_v<typename Res::Element, Result>,
                  "the result array has the wrong element type for this reduction");
    static const Result identity = Op::template identity<Result>();
    return {dimensionOperands(where, result, array, mask...),
            d,
            &identity,
            takeDimensionRow<Op, Result, ElementTerm<F, Reduced<A>, 1>, sizeof...(M) == 1>,
            {combineValues<Op, Result>, nullptr}};
}

template <class F, class Res, class A, class... M>
void reduceDim(Where where, int d, const Res& result, const A& array, const M&... mask) {
    reduceDimension({F::dimName, where}, dimensionReduction<F>(where, d, result, array, mask...));
}

/// A schedule of a reduction along a dimension, masked if there is an M.
template <class F, class Res, class A, class... M>
class DimensionReductionSchedule {
public:
    DimensionReductionSchedule(const Res& result, const A& array, int d, const M&... mask,
                               Where where = Where::here())
        : result_(result),
          array_(array),
          d_(d),
          mask_(mask...),
          rows_(makeDimensionRows({F::dimName, where},
                                  dimensionOperands(where, result, array, mask...), d)) {}

    void execute(Where where = Where::here()) {
        std::apply(
            [&](const M&... mask) {
                reduceDimension(*rows_, dimensionReduction<F>(where, d_, result_, array_, mask...));
            },
            mask_);
    }

private:
    Res result_;
    A array_;
    int d_;
    std::tuple<M...> mask_;
    DimensionRowsHandle rows_;
};

}  // namespace hpspmd::detail
