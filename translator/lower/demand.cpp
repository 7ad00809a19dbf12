// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/demand.hpp"

#include <algorithm>

#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "lower/regions.hpp"

namespace hpcc::lower {
namespace {

bool sameText(ast::NodePtr left, ast::NodePtr right) {
    if (left == right) return true;
    if (ast::is<ast::Identifier>(left) && ast::is<ast::Identifier>(right))
        return left->text() == right->text();
    return ast::print(left) == ast::print(right);
}

bool sameGuards(const Demand& left, const Demand& right) {
    return std::ranges::equal(left.guards, right.guards, sameText);
}

bool sameIndices(const Demand& left, const Demand& right) {
    return sameText(left.array, right.array) &&
           std::ranges::equal(left.slots, right.slots, {}, &CheckedSlot::over, &CheckedSlot::over);
}

/// A variable, a field of one, or of `this`: can be read anywhere in its scope.
bool isNamed(ast::NodePtr expression) {
    if (ast::is<ast::Member>(expression)) return isNamed(expression->child(ast::Member::base));
    if (ast::is<ast::PointerMember>(expression))
        return ast::is<ast::KeywordLiteral>(expression->child(ast::PointerMember::base));
    return ast::is<ast::Identifier>(expression) || ast::is<ast::QualifiedName>(expression);
}

bool containsShifts(const CheckedSlot& outer, const CheckedSlot& inner) {
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

bool containsReaches(const CheckedSlot& outer, const CheckedSlot& inner) {
    return contains(outer.reaches, inner.reaches);
}

void append(std::vector<ast::NodePtr>& list, const std::vector<ast::NodePtr>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

void CheckedSlot::forgetReaches() {
    reaches.clear();
    accesses.clear();
}

void Demand::forgetReaches() {
    for (CheckedSlot& slot : slots) slot.forgetReaches();
}

void Demand::forgetReaches(
    const std::function<bool(const std::unordered_set<std::string_view>&)>& isTouched) {
    for (CheckedSlot& slot : slots) {
        if (!slot.triplet || !isTouched(ast::namesIn(slot.triplet))) continue;
        slot.triplet = nullptr;
        forgetReaches();
    }
    for (CheckedSlot& slot : slots)
        if (std::ranges::any_of(slot.reaches,
                                [&](const Reach& reach) { return isTouched(reach.names); }))
            slot.forgetReaches();
}

void Demand::keepReaches(bool Reach::*property) {
    for (CheckedSlot& slot : slots)
        if (!std::ranges::all_of(slot.reaches, property)) slot.forgetReaches();
}

bool Demand::isCounted(const CountingLoop& loop) const {
    return std::ranges::any_of(slots, [&](const CheckedSlot& slot) {
        return std::ranges::any_of(
            slot.reaches, [&](const Reach& reach) { return reach.names.contains(loop.name); });
    });
}

void Demand::leaveLoop(const CountingLoop& loop) {
    for (CheckedSlot& slot : slots) {
        slot.hasGaps |= slot.isReached() && !loop.isComplete;
        lower::leaveLoop(slot.reaches, loop);
    }
}

bool Demand::hasReaches() const { return std::ranges::any_of(slots, &CheckedSlot::isReached); }

bool Demand::hasShifts() const {
    return std::ranges::any_of(
        slots, [](const CheckedSlot& slot) { return slot.lo != 0 || slot.hi != 0; });
}

bool Demand::sameReaches(const Demand& other) const {
    return std::ranges::equal(slots, other.slots, [](const auto& left, const auto& right) {
        return containsReaches(left, right) && containsReaches(right, left);
    });
}

void Demand::adaptTo(const Demand& check) {
    if (isCertain()) return;
    for (size_t r = 0; r < slots.size(); ++r)
        if (!containsReaches(check.slots[r], slots[r])) slots[r].forgetReaches();
}

void Demand::adopt(const Demand& other) {
    for (size_t r = 0; r < slots.size(); ++r) append(slots[r].accesses, other.slots[r].accesses);
}

bool Demand::isHarmless() const {
    return isNamed(array) &&
           std::ranges::all_of(
               slots,
               [](const CheckedSlot& slot) { return !slot.over || isNamed(slot.over->range); }) &&
           std::ranges::all_of(enclosing, [](const Construct* c) { return isNamed(c->range); });
}

void Demand::require(ast::NodePtr guard) {
    names.merge(ast::namesIn(guard));
    if (std::ranges::none_of(guards, [&](ast::NodePtr known) { return sameText(known, guard); }))
        guards.push_back(guard);
}

bool Demand::isThereWith(ast::NodePtr block) const {
    return isHarmless() && lower::isThereWith(block, array);
}

bool Demand::sameAs(const Demand& other) const {
    if (isCertain() != other.isCertain() || flag != other.flag) return false;
    return sameIndices(*this, other) && (readsParts(other) || other.readsParts(*this)) &&
           enclosing == other.enclosing && sameGuards(*this, other);
}

size_t Demand::hashOfIndices() const {
    size_t result = std::hash<std::string>()(ast::print(array));
    for (const CheckedSlot& slot : slots)
        result = 31 * result + std::hash<const void*>()(slot.over);
    return result;
}

bool Demand::covers(const Demand& other) const {
    return coversIndices(other) && std::ranges::equal(slots, other.slots, containsReaches);
}

bool Demand::coversIndices(const Demand& other) const {
    // The fewer constructs restrict the active group, the more the array's group must contain.
    const bool asStrict = std::ranges::all_of(enclosing, [&](const Construct* construct) {
        return std::ranges::find(other.enclosing, construct) != other.enclosing.end();
    });
    return isCertain() && flag.empty() && sameIndices(*this, other) && readsParts(other) &&
           asStrict && (guards.empty() || sameGuards(*this, other)) &&
           std::ranges::equal(slots, other.slots, containsShifts);
}

/// Where there is perhaps no iteration, sequential subscripts apart.
bool Demand::isSafe() const {
    const auto safe = [](const ast::NodePtr node) { return !node || ast::isSafe(node); };
    return std::ranges::all_of(guards, safe) &&
           std::ranges::all_of(enclosing, [&](const Construct* c) { return safe(c->triplet); }) &&
           std::ranges::all_of(slots, safe, &CheckedSlot::triplet);
}

bool Demand::leave(const Construct& construct) {
    // What is told by the construct's own index, in the triplet of an inner one, ends here.
    const auto namesIndex = [&](const auto& all) { return all.contains(construct.index); };
    if (namesIndex(names) || !isSafe()) return false;
    forgetReaches(namesIndex);
    keepReaches(&Reach::isSafe);
    loops += isCertain() ? 0 : 1;
    const bool subscripts = std::ranges::any_of(
        slots, [&](const CheckedSlot& slot) { return slot.over == &construct; });
    if (subscripts) {
        leaveIndex(construct);
        return true;
    }
    enclosing.insert(enclosing.begin(), &construct);
    names.merge(ast::namesIn(construct.range));
    if (!isCertain()) return isHarmless();
    // The group must contain the APG for those processes only that run an iteration.
    names.merge(ast::namesIn(construct.triplet));
    return ast::isPure(construct.triplet);
}

/// Sequential subscripts, and the freshness of ghost cells, are checked by those processes only
/// that run an iteration.
void Demand::leaveIndex(const Construct& construct) {
    if (!isCertain() || !(hasReaches() || asksGhosts)) return;
    if (!ast::isPure(construct.triplet)) return forgetReaches();
    for (CheckedSlot& slot : slots)
        if (slot.over == &construct) slot.triplet = construct.triplet;
}

void Demand::merge(const Demand& other) {
    if (!hasShifts()) part = other.part;
    for (size_t r = 0; r < slots.size(); ++r) {
        slots[r].lo = std::min(slots[r].lo, other.slots[r].lo);
        slots[r].hi = std::max(slots[r].hi, other.slots[r].hi);
        slots[r].hasGaps |= other.slots[r].hasGaps || !containsReaches(slots[r], other.slots[r]) ||
                            !containsReaches(other.slots[r], slots[r]);
        for (const Reach& reach : other.slots[r].reaches) widen(slots[r].reaches, reach);
        if (!slots[r].triplet) slots[r].triplet = other.slots[r].triplet;
    }
    adopt(other);
    homes.insert(homes.end(), other.homes.begin(), other.homes.end());
    loops = std::max(loops, other.loops);
    inMacro = inMacro || other.inMacro;
    asksGhosts = asksGhosts || other.asksGhosts;
}

Demand Demand::common(const Demand& other) const {
    Demand result = *this;
    for (size_t r = 0; r < slots.size(); ++r) {
        result.slots[r].lo = std::max(slots[r].lo, other.slots[r].lo);
        result.slots[r].hi = std::min(slots[r].hi, other.slots[r].hi);
        if (result.slots[r].lo > result.slots[r].hi) result.slots[r].lo = result.slots[r].hi = 0;
    }
    if (sameReaches(other))
        result.adopt(other);
    else
        result.forgetReaches();
    return result;
}

// ---- lists -------------------------------------------------------------------------------------

constexpr size_t few = 16;  // so many are found as fast without an index

void Demands::index(size_t place) { places_[list_[place].hashOfIndices()].push_back(place); }

void Demands::append(Demand demand) {
    list_.push_back(std::move(demand));
    if (list_.size() <= few) return;
    for (size_t k = places_.empty() ? 0 : list_.size() - 1; k < list_.size(); ++k) index(k);
}

std::vector<Demand*> Demands::alike(const Demand& demand) {
    std::vector<Demand*> result;
    if (places_.empty()) {
        for (Demand& known : list_) result.push_back(&known);
    } else if (const auto found = places_.find(demand.hashOfIndices()); found != places_.end()) {
        for (const size_t place : found->second) result.push_back(&list_[place]);
    }
    return result;
}

void Demands::add(Demand demand, Demands& met) {
    const std::vector<Demand*> candidates = alike(demand);
    for (Demand* known : candidates) {
        if (known->coversIndices(demand)) demand.adaptTo(*known);
        if (known->covers(demand)) {
            known->adopt(demand);
            return met.append(std::move(demand));
        }
        if (known->sameAs(demand)) return known->merge(demand);
    }
    bool isWider = false;
    for (Demand* known : candidates) {
        if (known->isAskedElsewhere()) continue;
        if (demand.coversIndices(*known)) known->adaptTo(demand);
        if (!demand.covers(*known)) continue;
        demand.adopt(*known);
        met.append(*known);
        isWider = true;
    }
    if (isWider) {
        std::erase_if(list_, [&](const Demand& known) {
            return !known.isAskedElsewhere() && demand.covers(known);
        });
        places_.clear();
    }
    append(std::move(demand));
}

}  // namespace hpcc::lower
