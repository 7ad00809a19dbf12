// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The frame of the schedules of reductions to a value.

#include <adlib/reduction.hpp>
#include <tuple>

namespace hpspmd::detail {

/// AdlibError unless the rows are those of arrays that are laid out alike.
void requireRowsOf(const LocalRows& rows, const Call& call, const Operands& operands);

/// The reductions of one schedule that are under way, each with a state of its own.
template <class State>
class ReductionsUnderWay {
public:
    /// Begins one more; the value is computed from `state` on.
    void start(const LocalRows& rows, const Call& call, const Operands& operands,
               const State& state) {
        if (idle_.empty())
            idle_.push_back(std::make_unique<Instance>(Instance{state, makeReduction()}));
        Instance& next = *idle_.back();
        next.state = state;
        startReduction(*next.reduction, rows, call, operands, next.state.accumulator());
        underWay_.push_back(std::move(idle_.back()));
        idle_.pop_back();
    }
    /// Finishes the oldest.
    const State& finish(const Call& call) {
        if (underWay_.empty()) raiseNotStarted(call);
        finishReduction(*underWay_.front()->reduction);
        idle_.push_back(std::move(underWay_.front()));
        underWay_.erase(underWay_.begin());
        return idle_.back()->state;
    }

private:
    struct Instance {
        State state;
        ReductionHandle reduction;
    };
    std::vector<std::unique_ptr<Instance>> idle_, underWay_;
};

/// A schedule of the reduction of arrays that a Form (reduction.hpp) describes: execute() any
/// number of times, for these arrays or others with the same descriptors.
template <class Form, class... Arrays>
class ReductionSchedule {
public:
    explicit ReductionSchedule(const Arrays&... arrays, Where where = Where::here())
        : ReductionSchedule(Form(), where, arrays...) {}

    auto execute(Where where = Where::here()) {
        return std::apply([&](const Arrays&... arrays) { return reduced(where, arrays...); },
                          arrays_);
    }
    auto execute(const Arrays&... arrays, Where where = Where::here()) {
        requireFitting(where, arrays...);
        return reduced(where, arrays...);
    }

    /// execute() in two halves: the local part, and the value; between them the schedule must not
    /// be moved. Several may be under way; the oldest is finished first.
    void start(Where where = Where::here()) {
        std::apply([&](const Arrays&... arrays) { begin(where, arrays...); }, arrays_);
    }
    void start(const Arrays&... arrays, Where where = Where::here()) {
        requireFitting(where, arrays...);
        begin(where, arrays...);
    }
    auto finish(Where where = Where::here()) {
        const Call now = call(where);
        return observedResult(Form::name, where, value(underWay_.finish(now)));
    }

protected:
    ReductionSchedule(const Form& form, Where where, const Arrays&... arrays)
        : form_(form),
          arrays_(arrays...),
          rows_(makeRows(call(where), form.operands(where, arrays...))) {}

private:
    using State = typename Form::State;

    static Call call(Where where) { return {Form::name, where}; }

    void requireFitting(Where where, const Arrays&... arrays) const {
        requireRowsOf(*rows_, call(where), form_.operands(where, arrays...));
    }
    auto reduced(Where where, const Arrays&... arrays) {
        State state = form_.begin(usualOrder());
        reduceRows(*rows_, call(where), form_.operands(where, arrays...), state.accumulator());
        return observedResult(Form::name, where, value(state));
    }
    void begin(Where where, const Arrays&... arrays) {
        underWay_.start(*rows_, call(where), form_.operands(where, arrays...),
                        form_.begin(usualOrder()));
    }
    auto value(const State& state) const {
        return std::apply([&](const Arrays&... arrays) { return form_.value(state, arrays...); },
                          arrays_);
    }

    Form form_;
    std::tuple<Arrays...> arrays_;
    RowsHandle rows_;
    ReductionsUnderWay<State> underWay_;
};

/// The same of the elements of an array, masked if there is an M.
template <class F, class A, class... M>
using ElementReductionSchedule = ReductionSchedule<ElementReduction<F, A, M...>, A, M...>;

}  // namespace hpspmd::detail
