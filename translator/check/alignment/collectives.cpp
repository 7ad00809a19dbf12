// Where collectives stand, and who gets there.
#include "ast/symbol.hpp"
#include "check/alignment/walk.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {

// ---- sources -----------------------------------------------------------------------------------

// The same place is the same source each time that it is met.
Coherence Walk::source(Source made) {
    const auto same = std::ranges::find_if(sources_, [&](const Source& each) {
        return each.place == made.place && each.reason == made.reason;
    });
    const auto position = static_cast<std::size_t>(same - sources_.begin());
    if (position >= mostSources) return {};
    if (same == sources_.end()) sources_.push_back(std::move(made));
    return Coherence().set(position);
}

// What decides who comes to this place.
Coherence Walk::control() const {
    Coherence who;
    for (const Guard& each : guards_) who |= each.who;
    for (const Left& each : state_.left) who |= each.who;
    return who;
}

// A source by which the processes of the active group differ for certain.
const Source* Walk::differing(const Coherence& value) const {
    if (value.none()) return nullptr;
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (value[k] && group_.differsBy(sources_[k])) return &sources_[k];
    return nullptr;
}

// The parameters, by position, among the sources of a value.
Coherence Walk::parametersIn(const Coherence& value) const {
    Coherence positions;
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (value[k] && sources_[k].isParameter)
            positions.set(parameters_.at(sources_[k].place->symbol));
    return positions;
}

// ---- findings ----------------------------------------------------------------------------------

void Walk::find(Finding finding) {
    if (found_.insert(finding.place).second) summary_.findings.push_back(std::move(finding));
}

// Whether some processes only come to the collective, because of `who`.
bool Walk::decides(NodePtr place, const Collective& what, NodePtr cause, const Coherence& who,
                   Id id) {
    if (const Source* source = differing(who)) {
        Finding finding{id, place, what.name, cause, *source, "", "", {}};
        if (what.place != place) finding.inner = what;
        find(std::move(finding));
        return true;
    }
    const bool isOpen = group_.isRestricted() || storedLambda_;  // not for the caller to decide
    if (isOpen) return false;
    const Coherence parameters = parametersIn(who);
    summary_.decisive |= parameters;
    if (parameters.any() && !summary_.decided.place) summary_.decided = {place, what.name};
    return false;
}

// A collective, or a call that leads to `what`.
void Walk::collective(NodePtr place, const Collective& what) {
    if (!state_.isReached) return;
    if (!summary_.collective.place && !storedLambda_) summary_.collective = {place, what.name};
    for (const Left& left : state_.left)
        if (decides(place, what, left.jump, left.who, Id::CollectiveAfterJump)) return;
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard)
        if (decides(place, what, guard->place, guard->who, Id::CollectiveInBranch)) return;
}

// An array whose group has processes that are not here.
void Walk::containment(NodePtr place, const std::string& name, NodePtr argument) {
    if (!isKind(argument, TypeKind::Multiarray) || !state_.isReached) return;
    const NodePtr construct = group_.constructThatExcludes(argument);
    if (construct)
        find({Id::ArrayOutsideGroup, argument, name, construct, {}, textOf(argument), "", {}});
    const NodePtr array = bare(argument);
    const bool isParameter = !construct && !group_.isRestricted() &&
                             ast::is<ast::Identifier>(array) && isStable(array->symbol) &&
                             parameters_.contains(array->symbol);
    if (isParameter) summary_.given.insert({parameters_[array->symbol], {place, name}});
}

// An argument of which all processes must give the same value.
void Walk::equalArgument(NodePtr place, const std::string& name, NodePtr argument,
                         const Coherence& value) {
    if (!state_.isReached) return;
    const Source* source = differing(value);
    if (source)
        find({Id::DifferingArgument, argument, name, place, *source, textOf(argument), "", {}});
}

}  // namespace hpcc::check::alignment
