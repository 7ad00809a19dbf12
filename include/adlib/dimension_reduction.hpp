#pragma once
/// The frame of reductions along one dimension.

#include <adlib/reduction.hpp>
#include <hpspmd/create.hpp>

namespace hpspmd::detail {

/// The operands are `results` result arrays (1 or 2), then the arrays that are reduced, perhaps
/// with a mask. `take` combines a row of those into the results; its
/// state is the combiner's context. The combiner gets the elements of
/// the first result, then those of the second.
struct DimensionReduction {
    Operands operands;
    int results;
    int d;
    std::array<const void*, 2> identity;  ///< result elements without contributions
    TakeRow take;
    Combiner combiner;
    const void* folded = nullptr;  ///< this process's elements of the (only) result, if known
};

/// The inspector's result.
class DimensionRows;
struct DeleteDimensionRows {
    void operator()(DimensionRows* rows) const;
};
using DimensionRowsHandle = std::unique_ptr<DimensionRows, DeleteDimensionRows>;

DimensionRowsHandle makeDimensionRows(const Call& call, const DimensionReduction& reduction);
void reduceDimension(const DimensionRows& rows, const Call& call,
                     const DimensionReduction& reduction);
/// reduceDimension() in two halves, between which messages travel and the results must not be
/// touched.
void startDimension(DimensionRows& rows, const Call& call, const DimensionReduction& reduction);
void finishDimension(DimensionRows& rows, const Call& call, const DimensionReduction& reduction);
/// Both steps, with the rows from the APG's cache.
void reduceDimension(const Call& call, const DimensionReduction& reduction);

/// Combines a row into the result at place 0, whose step is 0 if the row runs along d.
template <class Op, class Result, class Term, bool masked>
void takeDimensionRow(void*, const Row& row) {
    const RowValues<Op, Result, Term, masked> values{row};
    if (row.step[0] == 0) {
        Result& total = row.at<Result>(0, 0);
        total = Op::combine(total, combineRow<Op, Result>(row.count, values));
        return;
    }
    withKnownSteps<Term, masked>(row, [&](const Row& known) {
        const RowValues<Op, Result, Term, masked> value{known};
        for (Index t = 0; t < row.count; ++t) {
            Result& total = known.at<Result>(0, t);
            total = Op::combine(total, value(t));
        }
    });
}

/// A reduction with one result and no reduced arrays yet; it refers to `identity`.
template <class Result, class Res>
DimensionReduction dimensionReductionTo(Where where, int d, const Result& identity,
                                        const Res& result) {
    static_assert(isArray<Res>, "the result of a reduction along a dimension is an array");
    static_assert(!std::is_const_v<typename Res::Element>,
                  "the result of a reduction must not be an array of const elements");
    DimensionReduction reduction{};
    reduction.operands.list[0] = operand("result", result, where);
    reduction.operands.count = 1;
    reduction.results = 1;
    reduction.d = d;
    reduction.identity[0] = &identity;
    return reduction;
}

template <class F, class Res, class A, class... M>
DimensionReduction dimensionReduction(Where where, int d, const Res& result, const A& array,
                                      const M&... mask) {
    using Op = typename F::Op;
    using Result = ResultOf<F, A>;
    static_assert(Res::rank() == A::rank() - 1,
                  "the result of a reduction along a dimension has one dimension less");
    static_assert(std::is_same_v<typename Res::Element, Result>,
                  "the result array has the wrong element type for this reduction");
    static const Result identity = Op::template identity<Result>();
    DimensionReduction reduction = dimensionReductionTo(where, d, identity, result);
    const Operands reduced = operandsOf(where, array, mask...);
    for (int k = 0; k < reduced.count; ++k)
        reduction.operands.list[reduction.operands.count++] = reduced.list[k];
    reduction.take = takeDimensionRow<Op, Result, ElementTerm<F, Reduced<A>, 1>, sizeof...(M) == 1>;
    reduction.combiner = {combineValues<Op, Result>, nullptr};
    return reduction;
}

/// Adds a row to sums that do not depend on the order, at place 0.
template <class Result, class Term, bool masked>
void takeDimensionRowBinned(void*, const Row& row) {
    const RowValues<Plus, Result, Term, masked> values{row};
    if (row.step[0] == 0) return addTerms(row.at<BinnedSum<Result>>(0, 0), row.count, values);
    for (Index t = 0; t < row.count; ++t) row.at<BinnedSum<Result>>(0, t).add(values(t));
}

/// The frame of such reductions along d: `append` adds the reduced arrays to the operands.
template <class Result, class Term, bool masked, class Res, class Append>
void sumDimBinned(const Call& call, int d, const Res& result, const Append& append) {
    using Sum = BinnedSum<Result>;
    static_assert(std::is_same_v<typename Res::Element, Result>,
                  "the result array has the wrong element type for this reduction");
    const auto sums = like<Sum>(result, call.where);
    const Sum identity;
    DimensionReduction reduction = dimensionReductionTo(call.where, d, identity, sums);
    append(reduction.operands);
    reduction.take = takeDimensionRowBinned<Result, Term, masked>;
    reduction.combiner = {mergeSums<Result>, nullptr};
    reduceDimension(call, reduction);
    const Operands both{{operand("result", result, call.where), operand("sums", sums, call.where)},
                        2};
    visitRows(both, [](void*, const Row& row) {
        for (Index t = 0; t < row.count; ++t)
            row.at<Result>(0, t) = row.at<const Sum>(1, t).value();
    });
}

template <class F, class Res, class A, class... M>
void reduceDimIn(Order order, Where where, int d, const Res& result, const A& array,
                 const M&... mask) {
    using Result = ResultOf<F, A>;
    if constexpr (hasBinnedForm<typename F::Op, Result>) {
        if (order == Order::None)
            return sumDimBinned<Result, ElementTerm<F, Reduced<A>, 1>, sizeof...(M) == 1>(
                {F::dimName, where}, d, result, [&](Operands& operands) {
                    const Operands reduced = operandsOf(where, array, mask...);
                    for (int k = 0; k < reduced.count; ++k)
                        operands.list[operands.count++] = reduced.list[k];
                });
    }
    static_cast<void>(order);
    reduceDimension({F::dimName, where}, dimensionReduction<F>(where, d, result, array, mask...));
}

template <class F, class Res, class A, class... M>
void reduceDim(Where where, int d, const Res& result, const A& array, const M&... mask) {
    reduceDimIn<F>(usualOrder(), where, d, result, array, mask...);
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
                                  dimensionReduction<F>(where, d, result, array, mask...))) {}

    void execute(Where where = Where::here()) {
        std::apply(
            [&](const M&... mask) {
                if (hasBinnedForm<typename F::Op, ResultOf<F, A>> && usualOrder() == Order::None)
                    return reduceDim<F>(where, d_, result_, array_, mask...);
                reduceDimension(*rows_, {F::dimName, where},
                                dimensionReduction<F>(where, d_, result_, array_, mask...));
            },
            mask_);
    }

    /// execute() in two halves, between which the result must not be touched; one at a time. Of
    /// reproducible sums all is done by finish().
    void start(Where where = Where::here()) {
        isExact_ = hasBinnedForm<typename F::Op, ResultOf<F, A>> && usualOrder() == Order::None;
        if (!isExact_) startDimension(*rows_, {F::dimName, where}, reduction(where));
    }
    void finish(Where where = Where::here()) {
        if (isExact_)
            execute(where);
        else
            finishDimension(*rows_, {F::dimName, where}, reduction(where));
        isExact_ = false;
    }

private:
    DimensionReduction reduction(Where where) const {
        return std::apply(
            [&](const M&... mask) {
                return dimensionReduction<F>(where, d_, result_, array_, mask...);
            },
            mask_);
    }

    Res result_;
    A array_;
    int d_;
    std::tuple<M...> mask_;
    DimensionRowsHandle rows_;
    bool isExact_ = false;  // started so
};

}  // namespace hpspmd::detail
