// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The frame of the schedules of reductions along a dimension.

#include <adlib/dimension_reduction.hpp>
#include <optional>
#include <tuple>

namespace hpspmd::detail {

/// reduceDimension() in two halves, between which messages travel and the results must not be
/// touched.
void startDimension(DimensionRows& rows, const Call& call, const DimensionReduction& reduction);
void finishDimension(DimensionRows& rows, const DimensionReduction& reduction);
/// AdlibError unless the rows are those of arrays that are laid out alike and do not overlap.
void requireRowsOf(const DimensionRows& rows, const Call& call,
                   const DimensionReduction& reduction);

/// A reduction along d to sums that do not depend on the order, of which the result gets the
/// rounded values when all is finished.
template <class Form, class Res, class... Arrays>
class ExactReduction {
public:
    void start(const Form& form, const Call& call, int d, const Res& result,
               const Arrays&... arrays) {
        sums_.emplace(binnedSumsFor(result, call.where));
        const DimensionReduction reduction = form.reduction(call.where, d, *sums_, arrays...);
        if (!rows_) rows_ = makeDimensionRows(call, reduction);
        startDimension(*rows_, call, reduction);
    }
    void finish(const Form& form, const Call& call, int d, const Res& result,
                const Arrays&... arrays) {
        finishDimension(*rows_, form.reduction(call.where, d, *sums_, arrays...));
        roundSums(result, *sums_, call.where);
        sums_.reset();
    }

private:
    DimensionRowsHandle rows_;
    std::optional<decltype(binnedSumsFor(std::declval<const Res&>(), Where()))> sums_;
};

/// A schedule of the reduction along d that a Form (dimension_reduction.hpp) describes: execute()
/// any number of times, for these arrays or others with the same descriptors.
template <class Form, class... Arrays>
class DimensionSchedule {
public:
    void execute(Where where = Where::here()) {
        std::apply([&](const Arrays&... arrays) { reduce(where, arrays...); }, arrays_);
    }
    void execute(const Arrays&... arrays, Where where = Where::here()) {
        requireFitting(where, arrays...);
        reduce(where, arrays...);
    }

    /// execute() in two halves, between which the results must not be touched, nor the schedule
    /// moved; one at a time.
    void start(Where where = Where::here()) {
        std::apply([&](const Arrays&... arrays) { begin(where, arrays...); }, arrays_);
    }
    void start(const Arrays&... arrays, Where where = Where::here()) {
        requireFitting(where, arrays...);
        begin(where, arrays...);
    }
    void finish(Where where = Where::here()) {
        const Call now = call(where);
        if (!underWay_) raiseNotStarted(now);
        std::apply([&](const Arrays&... arrays) { end(where, arrays...); }, *underWay_);
        underWay_.reset();
    }

protected:
    DimensionSchedule(const Form& form, Where where, int d, const Arrays&... arrays)
        : form_(form),
          d_(d),
          arrays_(arrays...),
          rows_(makeDimensionRows(call(where), form.reduction(where, d, arrays...))) {}

private:
    static Call call(Where where) { return {Form::name, where}; }
    static bool isExact() { return Form::hasExactForm && usualOrder() == Order::None; }

    void requireFitting(Where where, const Arrays&... arrays) const {
        requireRowsOf(*rows_, call(where), form_.reduction(where, d_, arrays...));
    }
    void reduce(Where where, const Arrays&... arrays) {
        if (isExact()) return reduceAlong(form_, Order::None, where, d_, arrays...);
        reduceDimension(*rows_, call(where), form_.reduction(where, d_, arrays...));
    }
    void begin(Where where, const Arrays&... arrays) {
        const Call now = call(where);
        if (underWay_) raiseUnderWay(now);
        startedExact_ = isExact();
        send(where, arrays...);
        underWay_.emplace(arrays...);
    }
    void send(Where where, const Arrays&... arrays) {
        if constexpr (Form::hasExactForm)
            if (startedExact_) return exact_.start(form_, call(where), d_, arrays...);
        startDimension(*rows_, call(where), form_.reduction(where, d_, arrays...));
    }
    void end(Where where, const Arrays&... arrays) {
        if constexpr (Form::hasExactForm)
            if (startedExact_) return exact_.finish(form_, call(where), d_, arrays...);
        finishDimension(*rows_, form_.reduction(where, d_, arrays...));
    }

    Form form_;
    int d_;
    std::tuple<Arrays...> arrays_;
    DimensionRowsHandle rows_;
    std::optional<std::tuple<Arrays...>> underWay_;
    struct Nothing {};
    std::conditional_t<Form::hasExactForm, ExactReduction<Form, Arrays...>, Nothing> exact_;
    bool startedExact_ = false;
};

/// The same of the elements of an array, masked if there is an M.
template <class F, class Res, class A, class... M>
class ElementDimensionSchedule
    : public DimensionSchedule<ElementReductionAlong<F, Res, A, M...>, Res, A, M...> {
    using Form = ElementReductionAlong<F, Res, A, M...>;

public:
    ElementDimensionSchedule(const Res& result, const A& array, int d, const M&... mask,
                             Where where = Where::here())
        : DimensionSchedule<Form, Res, A, M...>(Form(), where, d, result, array, mask...) {}
};

}  // namespace hpspmd::detail
