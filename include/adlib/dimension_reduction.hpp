// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
/// Both steps, with the rows from the APG's cache.
void reduceDimension(const Call& call, const DimensionReduction& reduction);
/// AdlibError if an element of a result is one of another result or of what is reduced.
void requireDisjointResults(const Call& call, const DimensionReduction& reduction);

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

inline void append(Operands& operands, const Operands& more) {
    for (int k = 0; k < more.count; ++k) operands.list[operands.count++] = more.list[k];
}

/// A reduction of these arrays with one result; it refers to `identity`. What to do is still open.
template <class Result, class Res>
DimensionReduction dimensionReductionTo(Where where, int d, const Result& identity,
                                        const Res& result, const Operands& reduced) {
    static_assert(isArray<Res>, "the result of a reduction along a dimension is an array");
    static_assert(!std::is_const_v<typename Res::Element>,
                  "the result of a reduction must not be an array of const elements");
    static_assert(std::is_same_v<typename Res::Element, Result>,
                  "the result array has the wrong element type for this reduction");
    DimensionReduction reduction{};
    reduction.operands.list[0] = operand("result", result, where);
    reduction.operands.count = 1;
    append(reduction.operands, reduced);
    reduction.results = 1;
    reduction.d = d;
    reduction.identity[0] = &identity;
    return reduction;
}

/// Adds a row to sums that do not depend on the order, at place 0.
template <class Result, class Term, bool masked>
void takeDimensionRowBinned(void*, const Row& row) {
    const RowValues<Plus, Result, Term, masked> values{row};
    if (row.step[0] == 0) return addTerms(row.at<BinnedSum<Result>>(0, 0), row.count, values);
    for (Index t = 0; t < row.count; ++t) row.at<BinnedSum<Result>>(0, t).add(values(t));
}

template <class Op, class Result, class Element>
inline constexpr bool isBinnedSumOf = false;
template <class Op, class Result>
inline constexpr bool isBinnedSumOf<Op, Result, BinnedSum<Result>> = hasBinnedForm<Op, Result>;

/// The same by the operation of a Term (reduction.hpp) whose arrays stand at the places from 1 on;
/// to sums that do not depend on the order, if the elements of the result are such.
template <class Op, class Result, class Term, bool masked, class Res>
DimensionReduction dimensionReductionOf(Where where, int d, const Res& result,
                                        const Operands& reduced) {
    if constexpr (isBinnedSumOf<Op, Result, typename Res::Element>) {
        static const BinnedSum<Result> identity;
        DimensionReduction reduction = dimensionReductionTo(where, d, identity, result, reduced);
        reduction.take = takeDimensionRowBinned<Result, Term, masked>;
        reduction.combiner = {mergeSums<Result>, nullptr};
        return reduction;
    } else {
        static const Result identity = Op::template identity<Result>();
        DimensionReduction reduction = dimensionReductionTo(where, d, identity, result, reduced);
        reduction.take = takeDimensionRow<Op, Result, Term, masked>;
        reduction.combiner = {combineValues<Op, Result>, nullptr};
        return reduction;
    }
}

/// A sum that does not depend on the order for each element of a result.
template <class Res>
auto binnedSumsFor(const Res& result, Where where) {
    return like<BinnedSum<typename Res::Element>>(result, where);
}

/// result[..] = sums[..], rounded.
template <class Res, class Sums>
void roundSums(const Res& result, const Sums& sums, Where where) {
    markWritten(result.descriptor());
    const Operands both{{operand("result", result, where), operand("sums", sums, where)}, 2};
    visitRows(both, [](void*, const Row& row) {
        for (Index t = 0; t < row.count; ++t)
            row.at<typename Res::Element>(0, t) =
                row.at<const typename Sums::Element>(1, t).value();
    });
    observeWritten("sumDim", where, both.list[0]);
}

// The reduction along d of aligned arrays, the last of which may be a mask, is a Form:
//     name                               what messages call it
//     reduction(where, d, arrays...)     the arrays begin with the results
//     hasExactForm                       true if the elements of the result can be BinnedSum

template <class F, class Res, class A, class... M>
struct ElementReductionAlong {
    using Op = typename F::Op;
    using Result = ResultOf<F, A>;
    using Term = ElementTerm<F, Reduced<A>, 1>;
    static constexpr bool masked = sizeof...(M) == 1;
    static constexpr const char* name = F::dimName;
    static constexpr bool hasExactForm = hasBinnedForm<Op, Result>;
    static_assert(Res::rank() == A::rank() - 1,
                  "the result of a reduction along a dimension has one dimension less");

    template <class Into>
    static DimensionReduction reduction(Where where, int d, const Into& result, const A& array,
                                        const M&... mask) {
        return dimensionReductionOf<Op, Result, Term, masked>(where, d, result,
                                                              operandsOf(where, array, mask...));
    }
};

template <class Form, class Res, class... Arrays>
void sumExactlyAlong(const Form& form, Where where, int d, const Res& result,
                     const Arrays&... arrays) {
    const Call call{Form::name, where};
    requireDisjointResults(call, form.reduction(where, d, result, arrays...));
    const auto sums = binnedSumsFor(result, where);
    reduceDimension(call, form.reduction(where, d, sums, arrays...));
    roundSums(result, sums, where);
}

template <class Form, class... Arrays>
void reduceAlong(const Form& form, Order order, Where where, int d, const Arrays&... arrays) {
    if constexpr (Form::hasExactForm)
        if (order == Order::None) return sumExactlyAlong(form, where, d, arrays...);
    static_cast<void>(order);
    reduceDimension({Form::name, where}, form.reduction(where, d, arrays...));
}

template <class F, class Res, class A, class... M>
void reduceDimIn(Order order, Where where, int d, const Res& result, const A& array,
                 const M&... mask) {
    reduceAlong(ElementReductionAlong<F, Res, A, M...>(), order, where, d, result, array, mask...);
}

template <class F, class Res, class A, class... M>
void reduceDim(Where where, int d, const Res& result, const A& array, const M&... mask) {
    reduceDimIn<F>(usualOrder(), where, d, result, array, mask...);
}

}  // namespace hpspmd::detail
