// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elements of integer arrays reach.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/harmless_calls.hpp"
#include "analysis/numbers.hpp"
#include "ast/effects.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "ast/type.hpp"
#include "nests/normalize/repeatable.hpp"
#include "nests/reaches.hpp"

namespace hpcc::nests {

using ast::NodePtr;

void Reaches::gather(Gathered& values) {
    if (std::exchange(values.isDeclared, true)) return;
    const auto name = [&] { return context_.identifier(values.name, origin()); };
    declarations_.push_back(
        context_.statement("hpspmd::detail::Reach $name;", {{"$name", name()}}, origin()));
    gathers_.push_back(context_.expression(
        "hpspmd::detail::valuesOf($a, {$parts}, $name)",
        {{"$a", made(values.base)}, {"$parts", values.parts}, {"$name", name()}}, origin()));
}

/// `column_reach`, which `valuesOf(column, {..}, column_reach)` sets.
NodePtr Reaches::ofElement(const Access& access) {
    if (access.slots.empty() || !isReadOnly(access) || !isSurelyMade(access)) return nullptr;
    std::vector<NodePtr> parts;
    takesElements_ = false, ofRuns_ = true;
    const bool takesBounds = std::exchange(takesBounds_, false);  // it would be asked too early
    for (const Slot& slot : access.slots) {
        const NodePtr part = partOf(access, slot);
        if (part) parts.push_back(part);
    }
    takesElements_ = true, takesBounds_ = takesBounds, ofRuns_ = false;
    if (parts.size() != access.slots.size()) return nullptr;
    const NestArray& array = nest_.arrays[access.array];
    std::string key = array.text;
    for (const NodePtr part : parts) key += ", " + ast::print(part);
    const auto [place, isNew] = gathered_.try_emplace(key);
    if (isNew) {
        const std::string name = array.text.substr(array.text.find_last_of(".>") + 1) + "_reach";
        place->second = {context_.fresh(name), array.base, parts};
    }
    taken_.push_back(key);
    return context_.identifier(place->second.name, origin());
}

/// The local subscripts by which an element of one dimension is reached.
NodePtr Reaches::partOf(const Access& access, const Slot& slot) {
    if (!slot.index) return of(slot.subscript, access.loop);
    const auto run = slot.loop && !slot.distance ? runs_.find(slot.loop) : runs_.end();
    if (run == runs_.end()) return nullptr;
    const NodePtr bounds =
        context_.expression("hpspmd::detail::Reach($run.first, $run2.last)",
                            {{"$run", context_.identifier(run->second, origin())},
                             {"$run2", context_.identifier(run->second, origin())}},
                            origin());
    if (slot.shift == 0) return bounds;
    return context_.expression(
        slot.shift < 0 ? "$l - $r" : "$l + $r",
        {{"$l", bounds}, {"$r", context_.number(std::abs(slot.shift), origin())}}, origin());
}

/// Of an integer array, where the inner loop begins.
bool Reaches::isFixedElement(NodePtr e) {
    const Access* element = inner_ ? accessAt(nest_, e) : nullptr;
    return element && areThere_(*element) && isReadOnly(*element) && !mayChangeIn(*inner_, e);
}

/// An integer that is made of elements which the inner loop does not change, as in
/// `c[i, w - weightOf(a[i, k])]`.
bool Reaches::isFixedValue(NodePtr e) {
    e = ast::withoutParentheses(e);
    if (!inner_ || inner_->touchesForeign || nest_.callsForeign || !analysis::isInteger(e) ||
        !(ast::is<ast::Call>(e) || ast::convertedToNumber(e)) || !isRepeatable(e) ||
        !ast::isSafe(e) || mayChangeIn(*inner_, e))
        return false;
    const auto elements = ast::allOf<ast::Subscript>(e);
    const auto readsOther = [](NodePtr call) { return !analysis::readByFunctions(call).empty(); };
    if (elements.empty() || std::ranges::any_of(ast::allOf<ast::Call>(e), readsOther) ||
        std::ranges::any_of(ast::namesIn(e),
                            [&](std::string_view name) { return nest_.changeable.contains(name); }))
        return false;
    ArrayPairs apart;
    for (const NodePtr each : elements) {
        const Access* const element = accessAt(nest_, each);
        if (!element || !areThere_(*element)) return false;
        for (const size_t k : inner_->accesses) {
            const Access& other = nest_.accesses[k];
            if (other.writes && other.array == element->array) return false;
            if (other.writes) apart.insert(std::minmax(other.array, element->array));
        }
    }
    gatheredApart_.insert(apart.begin(), apart.end());
    return true;
}

/// Integers that neither the nest nor code out of sight changes while it runs.
bool Reaches::isReadOnly(const Access& access) {
    const auto typeOf = [&](const Access& other) {
        const ast::Type* type = ast::multiarrayType(nest_.arrays[other.array].base);
        return type && type->element ? type->element->number : ast::NumberType();
    };
    const ast::NumberType type = typeOf(access);
    if (type.bits == 0 || nest_.callsForeign ||
        std::ranges::any_of(nest_.loops, &Loop::touchesForeign))
        return false;
    for (const Access& other : nest_.accesses) {
        if (!other.writes) continue;
        if (other.array == access.array) return false;
        if (typeOf(other) == type) gatheredApart_.insert(std::minmax(other.array, access.array));
    }
    return true;
}

}  // namespace hpcc::nests
