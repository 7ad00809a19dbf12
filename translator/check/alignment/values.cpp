// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/alignment/values.hpp"

#include <functional>
#include <utility>

namespace hpcc::check::alignment {
namespace {

bool isNumbered(std::string_view part) { return part[0] >= '0' && part[0] <= '9'; }

}  // namespace

// Which of two variables stands nearer to the root: a mixed number of each decides, after
// Vigna's splitmix64.
bool Values::isAbove(const Variable& one, const Variable& other) {
    const auto mixed = [](const Variable& variable) {
        std::uint64_t bits = std::hash<const void*>()(variable.symbol);
        bits += 0x9e3779b97f4a7c15 * (1 + std::hash<std::string_view>()(variable.part));
        bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
        bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
        return bits ^ (bits >> 31);
    };
    const auto first = mixed(one), second = mixed(other);
    return first != second ? first > second : one > other;
}

// `entry` with other neighbours and another value, itself if they are the same.
Values::Tree Values::with(const Tree& entry, Tree less, const Coherence& value, Tree greater) {
    if (entry->less == less && entry->greater == greater && entry->value == value) return entry;
    return new Entry(entry->variable, value, std::move(less), std::move(greater));
}

Values::Parts Values::split(const Tree& tree, const Variable& variable) {
    if (!tree) return {};
    if (variable == tree->variable) return {tree->less, tree->value, tree->greater};
    if (variable < tree->variable) {
        Parts parts = split(tree->less, variable);
        parts.greater = with(tree, std::move(parts.greater), tree->value, tree->greater);
        return parts;
    }
    Parts parts = split(tree->greater, variable);
    parts.less = with(tree, tree->less, tree->value, std::move(parts.less));
    return parts;
}

// Of two trees, all of whose variables are less or greater.
Values::Tree Values::unite(const Tree& less, const Tree& greater) {
    if (!less) return greater;
    if (!greater) return less;
    if (isAbove(less->variable, greater->variable))
        return with(less, less->less, less->value, unite(less->greater, greater));
    return with(greater, unite(less, greater->less), greater->value, greater->greater);
}

const Values::Entry* Values::find(const Variable& variable) const {
    const Entry* entry = root_.get();
    while (entry && entry->variable != variable)
        entry = (variable < entry->variable ? entry->less : entry->greater).get();
    return entry;
}

Coherence Values::of(const Variable& variable) const {
    if (const Entry* entry = find(variable)) return entry->value;
    if (variable.part.empty()) return {};
    const Coherence whole = of({variable.symbol, ""});
    if (variable.part == "*") return whole;
    const Entry* others = isNumbered(variable.part) ? find({variable.symbol, "[]"}) : nullptr;
    return others ? others->value : whole.weakened();
}

Coherence Composed::of(std::string_view part) const {
    const std::string_view otherName = part == "0" ? "first" : part == "1" ? "second" : part;
    for (const std::string_view name : {part, otherName})
        if (const auto found = parts.find(name); found != parts.end()) return found->second;
    return whole.weakened();
}

Composed& Composed::operator|=(const Coherence& more) {
    whole |= more;
    for (auto& [name, value] : parts) value |= more;
    return *this;
}

Composed meet(const Composed& one, const Composed& other) {
    Composed result{meet(one.whole, other.whole, {}), {}};
    for (const Composed* each : {&one, &other})
        for (const auto& [name, value] : each->parts)
            result.parts[name] = meet(one.of(name), other.of(name), {});
    return result;
}

Coherence Values::anyElementOf(const Symbol* symbol) const {
    std::optional<Coherence> value;
    for (const std::string_view part : partsOf(symbol)) {
        if (part != "[]" && !isNumbered(part)) continue;
        const Coherence element = of({symbol, part});
        value = value ? meet(*value, element, {}) : element;
    }
    return value ? *value : of({symbol, ""}).weakened();
}

std::vector<std::string_view> Values::partsOf(const Symbol* symbol) const {
    std::vector<std::string_view> parts;
    const auto visit = [&](const auto& self, const Entry* entry) -> void {
        if (!entry) return;
        const Symbol* here = entry->variable.symbol;
        if (here == symbol && !entry->variable.part.empty()) parts.push_back(entry->variable.part);
        if (!std::less<>()(here, symbol)) self(self, entry->less.get());
        if (!std::less<>()(symbol, here)) self(self, entry->greater.get());
    };
    visit(visit, root_.get());
    return parts;
}

Values::Tree Values::set(const Tree& tree, const Variable& variable, const Coherence& value) {
    if (!tree || isAbove(variable, tree->variable)) {
        if (value.none() && variable.part.empty()) return tree;
        Parts parts = split(tree, variable);
        return new Entry(variable, value, std::move(parts.less), std::move(parts.greater));
    }
    if (variable == tree->variable)
        return value.none() && variable.part.empty() ? unite(tree->less, tree->greater)
                                                     : with(tree, tree->less, value, tree->greater);
    return variable < tree->variable
               ? with(tree, set(tree->less, variable, value), tree->value, tree->greater)
               : with(tree, tree->less, tree->value, set(tree->greater, variable, value));
}

void Values::set(const Variable& variable, const Coherence& value) {
    root_ = set(root_, variable, value);
}

void Values::erase(const Symbol* symbol) {
    while (true) {
        const Entry* found = nullptr;
        for (const Entry* entry = root_.get(); entry && !found;) {
            if (entry->variable.symbol == symbol) found = entry;
            entry = (std::less<>()(symbol, entry->variable.symbol) ? entry->less : entry->greater)
                        .get();
        }
        if (!found) return;
        const Parts parts = split(root_, Variable(found->variable));
        root_ = unite(parts.less, parts.greater);
    }
}

Values::Tree Values::joinWithNothing(const Tree& tree, bool isOne, const Meeting& meeting) {
    if (!tree) return tree;
    const Coherence missing = (isOne ? meeting.other : meeting.one).of(tree->variable);
    const Coherence value =
        isOne ? meeting.meet(tree->value, missing) : meeting.meet(missing, tree->value);
    return with(tree, joinWithNothing(tree->less, isOne, meeting), value,
                joinWithNothing(tree->greater, isOne, meeting));
}

Values::Tree Values::join(const Tree& one, const Tree& other, const Meeting& meeting) {
    if (one == other) return one;
    if (!other) return joinWithNothing(one, true, meeting);
    if (!one) return joinWithNothing(other, false, meeting);
    if (one->variable == other->variable || isAbove(one->variable, other->variable)) {
        const Parts parts = split(other, one->variable);
        const Coherence value = parts.value ? *parts.value : meeting.other.of(one->variable);
        return with(one, join(one->less, parts.less, meeting), meeting.meet(one->value, value),
                    join(one->greater, parts.greater, meeting));
    }
    const Parts parts = split(one, other->variable);
    const Coherence value = parts.value ? *parts.value : meeting.one.of(other->variable);
    return with(other, join(parts.less, other->less, meeting), meeting.meet(value, other->value),
                join(parts.greater, other->greater, meeting));
}

void Values::join(const Values& other, const SourceSet& divided) {
    root_ = join(root_, other.root_, {*this, other, [&](const Coherence& a, const Coherence& b) {
                                          return meet(a, b, divided);
                                      }});
}

bool Values::areEqual(const Tree& one, const Tree& other) {
    if (one == other) return true;
    return one && other && one->variable == other->variable && one->value == other->value &&
           areEqual(one->less, other->less) && areEqual(one->greater, other->greater);
}

}  // namespace hpcc::check::alignment
