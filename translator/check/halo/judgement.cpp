// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which reads of ghost cells are told of.
#include "ast/effects.hpp"
#include "ast/search.hpp"
#include "check/facts.hpp"
#include "check/flow/constants.hpp"
#include "check/halo/dependence.hpp"
#include "check/halo/transfer.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace hpcc::check::halo {

void Transfer::note(const Finding& finding) {
    if (findings && !nest_) findings->push_back(finding);
}

const flow::Surroundings* Transfer::surroundingsOf(NodePtr statement) const {
    const auto found = graph_.surroundings.find(statement);
    return found == graph_.surroundings.end() ? nullptr : &found->second;
}

const flow::Surroundings* Transfer::surroundings(NodePtr write) const {
    const auto statement = statements_.find(write);
    return statement == statements_.end() ? nullptr : surroundingsOf(statement->second);
}

// What is certain is told of, before what is not.
std::optional<Finding> Transfer::judgeRead(const Read& read, const Side& side) {
    const auto told = [&](bool isSure, NodePtr write, int filled) {
        const Id id = !isSure      ? Id::PerhapsStaleGhosts
                      : filled > 0 ? Id::NarrowHalo
                                   : Id::StaleGhosts;
        Finding finding{id,      read.access, statement_, write,
                        nullptr, read.array,  read.width, filled};
        finding.isDoubted = isDoubted(write);
        return finding;
    };
    if (!read.isExact)
        return side.isStaleFor(1) ? std::optional(told(false, side.write, side.least))
                                  : std::nullopt;
    if (side.isStaleFor(read.width)) return told(true, side.write, side.most > 0 ? side.least : 0);
    std::optional<Finding> perhaps;
    if (side.mayBeStaleFor(read.width)) perhaps = told(false, side.write, side.least);
    for (const PartialWrite& each : side.partial) {
        if (each.filled >= read.width) continue;
        const Meeting met = meetingOf(each, read.access);
        if (met == Meeting::Surely && each.isSure) return told(true, each.write, each.filled);
        if (met != Meeting::Never && !perhaps) perhaps = told(false, each.write, each.filled);
    }
    return perhaps;
}

bool Transfer::isDoubted(NodePtr write) const {
    const auto how = how_.find(write);
    return how != how_.end() && how->second->writing != analysis::Writing::Surely;
}

// By their ends; or because no two iterations reach one element, as in red-black sweeps.
Meeting Transfer::meetingOf(const PartialWrite& write, NodePtr read) {
    const std::vector<Elements> asked = locations().read(read);
    Meeting met = Meeting::Never;
    for (const Elements& each : asked) met = std::max(met, meeting(*write.elements, each));
    const auto how = how_.find(write.write);
    const bool areAccesses =
        write.isLocal && how != how_.end() && !std::ranges::any_of(asked, mayWrap, &Elements::box);
    const bool isRefuted = met == Meeting::Perhaps && areAccesses &&
                           !locations().mayMeet(how->second->access, read, write.rounds);
    return isRefuted ? Meeting::Never : met;
}

// True if code that runs inside may fill the array of an access. False where all its indices are
// bound: then the array lies over dimensions that are fixed there, and no collective may use it.
bool Transfer::mayBeReached(const Nest& nest, NodePtr access) {
    if (!access->is<ast::Subscript>()) return !nest.calls.empty();
    const auto subscripts = access->child(ast::Subscript::subscripts)->children();
    return std::ranges::any_of(nest.calls, [&](const std::vector<const Symbol*>& bound) {
        return std::ranges::any_of(subscripts, [&](NodePtr each) {
            const Symbol* index = isIndex(typeOf(each)) ? namedIndex(each) : nullptr;
            return index && std::ranges::find(bound, index) == bound.end();
        });
    });
}

namespace {

// True if the first iteration of the nest, if any, comes by the access, whatever the others do.
bool isReadAtOnce(NodePtr access, NodePtr nest) {
    if (!access->is<ast::Subscript>()) return false;
    std::unordered_set<std::string_view> bound;
    const analysis::IterationSpace space({nest});
    for (const NodePtr node : space.access(access).path) {
        if (ast::is<ast::Overall>(node)) {
            for (const NodePtr header : node->child(ast::Overall::headers)->children()) {
                for (const uint32_t part :
                     {+ast::OverallHeader::range, +ast::OverallHeader::triplet})
                    for (const std::string_view name : ast::namesIn(header->child(part)))
                        if (bound.contains(name)) return false;
                bound.insert(header->child(ast::OverallHeader::index)->text());
            }
            continue;
        }
        const bool isSure = ast::isExpression(node)
                                ? !node->is<ast::Conditional>() && !node->is<ast::Lambda>() &&
                                      flow::logicOf(node) == flow::Logic::None
                                : node->is<ast::Compound>() || node->is<ast::ExpressionStatement>();
        if (!isSure) return false;
    }
    return true;
}

}  // namespace

// One finding for each array, an error before a warning.
void Transfer::judge(const Nest& nest, NodePtr node, const std::vector<bool>& touched) {
    if (!findings) return;
    const State& entry = *nest.entry;
    std::vector<int> told;
    for (const bool wantsErrors : {true, false})
        for (const Read& read : nest.reads) {
            const int storage = read.source.storage;
            const bool isKnown = storage != State::none && !read.source.isPart &&
                                 storage < static_cast<int>(touched.size()) &&
                                 entry.areUsed(storage);
            if (!isKnown || std::ranges::find(told, storage) != told.end()) continue;
            const bool mayBeFilled =
                touched[static_cast<std::size_t>(storage)] ||
                (entry[storage].isInReach() && mayBeReached(nest, read.access));
            if (mayBeFilled && !(read.isFirst && isReadAtOnce(read.access, node))) continue;
            if (isUndivided(dimensionFacts(read.array, read.dimension))) continue;
            const Freshness& fresh = entry[storage].fresh;
            if (read.dimension >= fresh.rank()) continue;
            const Side& own = fresh.at(read.dimension, read.isBelow);
            const Side& other = fresh.at(read.dimension, !read.isBelow);
            std::optional<Finding> found;
            if (read.isExact || other.isStaleFor(1)) found = judgeRead(read, own);
            if (found && (found->id != Id::PerhapsStaleGhosts) == wantsErrors) {
                note(*found);
                told.push_back(storage);
            }
            if (wantsErrors && read.isExact)
                require({storage, read.dimension, read.isBelow, read.width, read.access}, entry,
                        true);
        }
}

namespace {

bool isShiftedAccess(NodePtr access) {  // as a target, HP2208 tells of it
    return std::ranges::any_of(access->child(ast::Subscript::subscripts)->children(),
                               [](NodePtr each) { return isKind(each, TypeKind::ShiftedIndex); });
}

// SKIP;   SKIP_IF(c);   a macro as a statement: a jump may be hidden in it.
bool isMacroStatement(NodePtr statement, const ast::MacroNames& macros) {
    if (!statement->is<ast::ExpressionStatement>()) return false;
    const NodePtr used = statement->child(ast::ExpressionStatement::expression);
    return ast::isUnknownName(used) || (ast::is<ast::Call>(used) && macros.mayBeMacro(used));
}

}  // namespace

// HP2208, where the text of the access does not show that it is changed: `store(a[i + 1])`.
void Transfer::judgeTargets(const Nest& nest) {
    if (!findings) return;
    for (const Write& write : nest.writes) {
        if (!write.how || write.how->writing != analysis::Writing::Surely) continue;
        const NodePtr access = write.how->access, changed = ast::changedOperand(write.how->site);
        if (changed && changed->span().contains(access->span())) continue;  // told of already
        for (const NodePtr each : access->child(ast::Subscript::subscripts)->children())
            if (isKind(each, TypeKind::ShiftedIndex))
                note({Id::ShiftedTarget, each, statement_, write.place, nullptr, access});
    }
}

// Rule 5, once for each array that is read.
void Transfer::judgeDependence(const Nest& nest, NodePtr node) {
    if (!findings) return;
    std::vector<std::string_view> told;
    std::optional<NestDependences> dependences;
    const bool mayJump = ast::anywhere(
        node, [this](NodePtr each) { return isMacroStatement(each, results_.macros()); });
    const auto judgePair = [&](const Read& read, const Write& write, Dependence wanted) {
        if (!write.how || isShiftedAccess(write.how->access)) return;
        const NodePtr access = write.how->access;
        const Source &from = read.source, &to = write.target;
        const bool isSameName = read.array->text() == access->child(ast::Subscript::base)->text();
        const bool isSame = from.storage == to.storage && from.storage != State::none;
        if (!isSameName && !isSame) return;
        if (std::ranges::find(told, read.array->text()) != told.end()) return;
        if (!dependences) dependences.emplace(node, body_);
        const Dependence found = dependences->of(*write.how, read.access);
        if ((mayJump ? std::min(found, Dependence::Perhaps) : found) != wanted) return;
        const Id id = wanted == Dependence::Certain ? Id::DependentIterations
                                                    : Id::PerhapsDependentIterations;
        Finding finding{id, read.access, statement_, write.how->place, nullptr, read.array, 0, 0};
        finding.isDoubted = write.how->writing != analysis::Writing::Surely;
        note(finding);
        told.push_back(read.array->text());
    };
    for (const Dependence wanted : {Dependence::Certain, Dependence::Perhaps})
        for (const Read& read : nest.reads)
            for (const Write& write : nest.writes) judgePair(read, write, wanted);
}

// ---- what the caller must have refreshed -------------------------------------------------------

Effect& Transfer::effectOf(std::size_t handle) {
    const Path& path = handles_.path(handle);
    const auto found = std::ranges::find(summary_.effects, path, &Effect::path);
    if (found != summary_.effects.end()) return *found;
    const std::size_t rank = handles_.type(handle)->slots.size();
    Effect effect;
    effect.path = path;
    effect.after = Freshness(rank, Side::initial());
    effect.wanted = Freshness(rank, Side::initial());
    summary_.effects.push_back(effect);
    return summary_.effects.back();
}

// The cells are as the caller left them: it has to refresh them before the call.
void Transfer::require(const Need& need, const State& at, bool isCertain) {
    const Side& side = at[need.storage].fresh.at(need.dimension, need.isBelow);
    if (!side.isOnlyInitial() || side.floor >= need.width) return;
    std::size_t owner = handles_.count();
    for (std::size_t h = 0; h < handles_.count(); ++h) {
        if (!handles_.isTwin(h) || at.storageOf(h) != need.storage) continue;
        if (owner != handles_.count()) return;
        owner = h;
    }
    const flow::Surroundings* around = surroundingsOf(statement_);
    const bool isConditional = graph_.returnsEarly || (around && !around->conditions.empty());
    if (owner == handles_.count() || isConditional) return;
    Effect& effect = effectOf(owner);
    if (!effect.read) effect.read = need.read;
    effect.isReadForCertain |= isCertain && !around;
    Side& wanted =
        need.isBelow ? effect.wanted.below(need.dimension) : effect.wanted.above(need.dimension);
    wanted.floor = std::max(wanted.floor, need.width);
}

void Transfer::requireFresh(NodePtr argument, const Effect& effect, const Source& source) {
    const bool isKnown = findings && effect.read && !nest_ && source.storage != State::none &&
                         !source.isPart && argument;
    if (!isKnown || state[source.storage].fresh.rank() != effect.wanted.rank()) return;
    const Freshness& fresh = state[source.storage].fresh;
    Finding finding{Id::StaleArgument, argument, statement_, nullptr, effect.read, argument, 0, 0};
    for (std::size_t k = 0; k < fresh.sides().size(); ++k) {
        const Side& side = fresh.sides()[k];
        const int width = effect.wanted.sides()[k].floor;
        if (width == 0) continue;
        require({source.storage, k / 2, k % 2 == 0, width, effect.read}, state,
                effect.isReadForCertain);
        const bool isStale = side.isStaleFor(width) && effect.isReadForCertain;
        const auto partial = std::ranges::find_if(
            side.partial, [=](const PartialWrite& each) { return each.filled < width; });
        const bool isPartial = !side.mayBeStaleFor(width) && partial != side.partial.end();
        if (!isStale && ((!side.mayBeStaleFor(width) && !isPartial) || finding.write)) continue;
        finding.id = isStale ? Id::StaleArgument : Id::PerhapsStaleArgument;
        finding.write = isPartial ? partial->write : side.write;
        if (isStale) break;
    }
    if (finding.write) note(finding);
}

}  // namespace hpcc::check::halo
