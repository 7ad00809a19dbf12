// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where collectives stand, and who gets there.
#include "ast/symbol.hpp"
#include "check/alignment/walk.hpp"
#include "check/wording.hpp"

#include <algorithm>

namespace hpcc::check::alignment {

// ---- sources -----------------------------------------------------------------------------------

// The same place is the same source each time that it is met. Of ranges of which the text does not
// tell that they lie over a dimension of a grid, it is one perhaps: they may be collapsed.
Coherence Walk::source(Source made) {
    const bool isSure =
        made.along.empty() || made.members || std::ranges::any_of(made.along, &RangeFacts::grid);
    const auto same = std::ranges::find_if(sources_, [&](const Source& each) {
        return each.place == made.place && each.reason == made.reason;
    });
    const auto position = static_cast<std::size_t>(same - sources_.begin());
    if (position >= mostSources) return {};
    if (same == sources_.end()) sources_.push_back(std::move(made));
    const Coherence one = Coherence::from(position);
    return isSure ? one : one.weakened();
}

// What decides who comes to this place.
Coherence Walk::control() const {
    Coherence who;
    for (const Guard& each : guards_) who |= each.who;
    for (const Left& each : state_.left) who |= each.who;
    return who;
}

// A source by which the processes of the active group differ for certain.
const Source* Walk::differing(const SourceSet& value) const {
    if (value.none()) return nullptr;
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (value[k] && group_.differsBy(sources_[k])) return &sources_[k];
    return nullptr;
}

// The parameters, by position, among the sources of a value.
Coherence Walk::parametersIn(const Coherence& value) const {
    Coherence positions;
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (value.perhaps[k] && sources_[k].isParameter) {
            const Coherence one = Coherence::from(parameters_.at(sources_[k].place->symbol));
            positions |= value.surely[k] ? one : one.weakened();
        }
    return positions;
}

// ---- findings ----------------------------------------------------------------------------------

void Walk::find(Finding finding) {
    if (found_.insert(finding.place).second) summary_.findings.push_back(std::move(finding));
}

namespace {

// The warning for what is not sure.
Id perhaps(Id id) {
    switch (id) {
    case Id::DecisiveArgument:
        return Id::PerhapsDecisiveArgument;
    case Id::DifferingArgument:
    case Id::DifferingMethodArgument:
        return Id::PerhapsDifferingArgument;
    default:
        return Id::PerhapsCollectiveInBranch;
    }
}

}  // namespace

// Whether some processes only come to the collective, because of `cause`.
bool Walk::decides(NodePtr place, const Collective& what, const Cause& cause, bool isSure) {
    const Source* source = differing(isSure ? cause.who.surely : cause.who.perhaps);
    if (!source) return false;
    Finding finding{isSure && what.isSure ? cause.id : perhaps(cause.id),
                    place,
                    what.name,
                    cause.place,
                    *source,
                    "",
                    "",
                    {}};
    if (what.place != place) finding.inner = what;
    if (cause.branch) {  // those who have left may have met it before
        const auto before = std::ranges::find_if(summary_.findings, [&](const Finding& each) {
            return each.cause == cause.branch && each.id == Id::CollectiveInBranch;
        });
        if (before != summary_.findings.end() && before->name == what.name)
            before->id = finding.id = perhaps(finding.id);
    }
    find(std::move(finding));
    return true;
}

// The arguments of this function that decide.
void Walk::decideLater(NodePtr place, const Collective& what, const std::vector<Cause>& causes) {
    const bool isOpen = group_.isRestricted() || storedLambda_;  // not for the caller to decide
    if (isOpen) return;
    for (const Cause& cause : causes) {
        Coherence parameters = parametersIn(cause.who);
        const bool isOnlyCondition = std::ranges::all_of(
            guards_, [&](const Guard& each) { return !each.mayPass || each.place == cause.place; });
        summary_.decisive |= isOnlyCondition && what.isSure ? parameters : parameters.weakened();
        if (parameters.any() && !summary_.decided.place)
            summary_.decided = {place, what.name, what.isSure};
    }
}

// A collective, or a call that leads to `what`.
void Walk::collective(NodePtr place, const Collective& what) {
    if (!state_.isReached) return;
    const Collective& known = summary_.collective;
    if (!storedLambda_ && (!known.place || (what.isSure && !known.isSure)))
        summary_.collective = {place, what.name, what.isSure};
    std::vector<Cause> causes;
    for (const Left& left : state_.left)
        causes.push_back({left.jump, left.who, Id::CollectiveAfterJump, left.branch});
    for (auto guard = guards_.rbegin(); guard != guards_.rend(); ++guard)
        causes.push_back({guard->place, guard->who, Id::CollectiveInBranch});
    for (const bool isSure : {true, false})
        for (const Cause& cause : causes)
            if (decides(place, what, cause, isSure)) return;
    decideLater(place, what, causes);
}

// Where the alternatives of a condition reach collectives of the same names in the same order, all
// processes may meet after all.
void Walk::forgiveAlike(NodePtr condition, const std::vector<NodePtr>& alternatives) {
    const auto named = [&](NodePtr part) {
        std::vector<std::string> names;
        for (const Finding& each : summary_.findings)
            if (part && each.cause == condition && part->span().contains(each.place->span()))
                names.push_back(each.name);
        return names;
    };
    const std::vector<std::string> first = named(alternatives.front());
    const bool areAlike = !first.empty() && std::ranges::all_of(alternatives, [&](NodePtr each) {
        return named(each) == first;
    });
    if (!areAlike) return;
    for (Finding& each : summary_.findings)
        if (each.cause == condition && each.id == Id::CollectiveInBranch)
            each.id = perhaps(each.id);
}

// An array whose group has processes that are not here.
void Walk::containment(NodePtr place, const std::string& name, NodePtr argument) {
    if (!isKind(argument, TypeKind::Multiarray) || !state_.isReached) return;
    const auto [construct, isSure] = group_.exclusionOf(argument);
    if (construct)
        find({isSure ? Id::ArrayOutsideGroup : Id::PerhapsArrayOutsideGroup,
              argument,
              name,
              construct,
              {},
              textOf(argument),
              "",
              {}});
    const NodePtr array = bare(argument);
    const bool isParameter = !construct && !group_.isRestricted() &&
                             ast::is<ast::Identifier>(array) && isStable(array->symbol) &&
                             parameters_.contains(array->symbol);
    if (isParameter) summary_.given.insert({parameters_[array->symbol], {place, name}});
}

// An argument of which all processes must give the same value.
void Walk::equalArgument(NodePtr place, const std::string& name, NodePtr argument,
                         const Coherence& value, Id id) {
    if (!state_.isReached) return;
    for (const bool isSure : {true, false})
        if (const Source* source = differing(isSure ? value.surely : value.perhaps))
            find({isSure ? id : perhaps(id),
                  argument,
                  name,
                  place,
                  *source,
                  textOf(argument),
                  "",
                  {}});
}

// The numbers that a function with [[hpspmd::dist]] gets; those by reference are its results.
void Walk::methodArguments(NodePtr node, const Symbol& method, NodePtr arguments,
                           const std::vector<Coherence>& values) {
    const NodePtr declared = summaries_.functions().attribute(method, "collective");
    if (!declared || !declared->child(ast::HpspmdAttribute::arguments)) return;
    const auto& parameters = method.type->parameters;
    for (std::size_t k = 0; k < values.size() && k < parameters.size(); ++k) {
        const bool isGiven = !parameters[k]->isReference || parameters[k]->isConst;
        if (isGiven && ast::isNumber(parameters[k]))
            equalArgument(node, method.name, arguments->child(static_cast<uint32_t>(k)), values[k],
                          Id::DifferingMethodArgument);
    }
}

}  // namespace hpcc::check::alignment
