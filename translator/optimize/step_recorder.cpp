// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/step_recorder.hpp"

#include "optimize/step_effects.hpp"

namespace hpcc::optimize {

void StepRecorder::begin(NodePtr step, int body) {
    step_ = step;
    isPlain_ = true;
    names_.steps_.insert(step, static_cast<int>(names_.effects_.size()));
    names_.effects_.emplace_back().body = body;
    open_ = names_.effects_.size() - 1;
    declare();
}

void StepRecorder::end() {
    effects().isPlain = isPlain_;
    effects().endPlace = names_.places_.size();
    step_ = nullptr;
}

void StepRecorder::resume(Outer outer) {
    step_ = outer.step;
    open_ = outer.effects;
    isPlain_ = false;
}

void StepRecorder::add(NodePtr node) {
    if (hasOwnEffects(node->kind())) addOwnEffects(names_, node, effects());
}

/// The variable that the name of an earlier one means here.
int StepRecorder::meaningOf(int earlier) const {
    const int number = (*before_)[earlier].nameNumber;
    return names_.meanings_[static_cast<size_t>(number)].current;
}

/// A variable of the name is known here, and a step changes by it what it did before.
bool StepRecorder::isSame(const NamePlace& place) const {
    const int now = meaningOf(place.variable);
    if (now < 0) return false;
    const Variable &one = (*before_)[place.variable], &other = names_[now];
    return one.specifiers == other.specifiers && one.isReference == other.isReference &&
           one.holdsElements == other.holdsElements;
}

bool StepRecorder::isTakenOver() {
    const StepEffects* const known = before_ ? before_->effectsOf(step_) : nullptr;
    if (!known || !known->isPlain || !isPlain_) return false;
    const std::span<const NamePlace> places = before_->placesIn(*known);
    if (!std::ranges::all_of(places, [this](const auto& each) { return isSame(each); }))
        return false;
    for (NamePlace place : places) {
        place.variable = meaningOf(place.variable);
        place.step = step_;
        names_.note(place);
    }
    StepEffects& made = effects();
    for (const int variable : known->assigned) made.assigned.push_back(meaningOf(variable));
    for (const int variable : known->escaping) made.escaping.push_back(meaningOf(variable));
    made.reachesOutside = known->reachesOutside;
    made.storesElements = known->storesElements;
    made.callsUnknown = known->callsUnknown;
    return true;
}

}  // namespace hpcc::optimize
