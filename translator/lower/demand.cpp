#include "lower/demand.hpp"

#include <algorithm>

#include "ast/print.hpp"

namespace hpcc::lower {
namespace {

bool sameText(ast::NodePtr left, ast::NodePtr right) {
    return left == right || ast::print(left) == ast::print(right);
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

bool contains(const CheckedSlot& outer, const CheckedSlot& inner) {
    return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

}  // namespace

bool Demand::isHarmless() const {
    return isNamed(array) &&
           std::ranges::all_of(
               slots,
               [](const CheckedSlot& slot) { return !slot.over || isNamed(slot.over->range); }) &&
           std::ranges::all_of(enclosing, [](const Construct* c) { return isNamed(c->range); });
}

bool Demand::sameAs(const Demand& other) const {
    if (isCertain() != other.isCertain() || flag != other.flag) return false;
    return sameIndices(*this, other) && enclosing == other.enclosing && sameGuards(*this, other);
}

bool Demand::covers(const Demand& other) const {
    // The fewer constructs restrict the active group, the more the array's group must contain.
    const bool asStrict = std::ranges::all_of(enclosing, [&](const Construct* construct) {
        return std::ranges::find(other.enclosing, construct) != other.enclosing.end();
    });
    return isCertain() && flag.empty() && sameIndices(*this, other) && asStrict &&
           (guards.empty() || sameGuards(*this, other)) &&
           std::ranges::equal(slots, other.slots, contains);
}

void Demand::merge(const Demand& other) {
    for (size_t r = 0; r < slots.size(); ++r) {
        slots[r].lo = std::min(slots[r].lo, other.slots[r].lo);
        slots[r].hi = std::max(slots[r].hi, other.slots[r].hi);
    }
    homes.insert(homes.end(), other.homes.begin(), other.homes.end());
    loops = std::max(loops, other.loops);
    inMacro = inMacro || other.inMacro;
}

Demand Demand::common(const Demand& other) const {
    Demand result = *this;
    for (size_t r = 0; r < slots.size(); ++r) {
        result.slots[r].lo = std::max(slots[r].lo, other.slots[r].lo);
        result.slots[r].hi = std::min(slots[r].hi, other.slots[r].hi);
        if (result.slots[r].lo > result.slots[r].hi) result.slots[r].lo = result.slots[r].hi = 0;
    }
    return result;
}

void add(Demands& list, Demand demand, Demands& met) {
    for (Demand& known : list) {
        if (known.covers(demand)) return met.push_back(std::move(demand));
        if (known.sameAs(demand)) return known.merge(demand);
    }
    for (Demand& known : list)
        if (demand.covers(known)) met.push_back(known);
    std::erase_if(list, [&](const Demand& known) { return demand.covers(known); });
    list.push_back(std::move(demand));
}

}  // namespace hpcc::lower
