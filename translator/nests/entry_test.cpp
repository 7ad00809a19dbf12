// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/entry_test.hpp"

#include <algorithm>

#include "analysis/loop.hpp"
#include "analysis/plain_values.hpp"
#include "ast/copy.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/search.hpp"
#include "ast/subscripts.hpp"
#include "nests/references.hpp"

namespace hpcc::nests {

using ast::NodePtr;

NodePtr EntryTest::condition() const {
    NodePtr all = conditions_.front();
    for (size_t k = 1; k < conditions_.size(); ++k)
        all =
            context_.expression("$l && $r", {{"$l", all}, {"$r", conditions_[k]}}, conditions_[k]);
    return all;
}

void EntryTest::requireReady() {
    std::map<std::string, size_t> places;
    std::vector<Combination> combinations;
    for (const Access& access : nest_.accesses) {
        const auto [place, isNew] = places.try_emplace(keyOf(access), combinations.size());
        if (isNew) combinations.push_back({&access, std::vector<Dimension>(access.slots.size())});
        add(combinations[place->second], access);
    }
    for (const Combination& combination : combinations) require(ready(combination));
    requireGathered();
    for (const Loop& loop : nest_.loops) requireMeeting(loop);
}

/// That `k != end` ends the loop.
void EntryTest::requireMeeting(const Loop& loop) {
    if (loop.kind != Loop::Kind::Counting || !loop.endsByMeeting || loop.endsPerRow) return;
    const auto first = analysis::constantValue(loop.first), end = analysis::constantValue(loop.end);
    const bool isDown = loop.step < 0;
    if (first && end && (isDown ? *first >= *end : *first <= *end)) return;
    if (!isDown && first && *first <= 0 && analysis::isNeverNegative(loop.end)) return;
    const NodePtr origin = nest_.loops.front().statement;
    require(context_.expression(
        std::string("hpspmd::Index($first) ") + (isDown ? ">" : "<") + "= hpspmd::Index($end)",
        {{"$first", context_.made(loop.first, origin)}, {"$end", context_.made(loop.end, origin)}},
        origin));
}

/// Accesses with one key are asked about together.
std::string EntryTest::keyOf(const Access& access) const {
    const auto numberOf = [](const Loop* loop) { return std::to_string(loop ? loop->number : 0); };
    std::string key = std::to_string(access.array);
    for (const Slot& slot : access.slots) {
        key += ", ";
        if (slot.index) key += slot.index->text();
        if (!slot.distance) continue;
        key += (slot.negative ? " - " : " + ") + ast::print(slot.distance);
        if (!reaches_.isFixed(slot.distance)) key += " of loop " + numberOf(access.loop);
    }
    for (const Loop* loop = access.loop; loop; loop = loop->outer)
        if (loop->kind == Loop::Kind::Overall) key += " in " + std::string(loop->variable);
    return key;
}

void EntryTest::add(Combination& combination, const Access& access) {
    for (size_t r = 0; r < access.slots.size(); ++r) {
        const Slot& slot = access.slots[r];
        Dimension& dimension = combination.dimensions[r];
        if (!slot.index) {
            addSequential(dimension, access, r);
            continue;
        }
        dimension.lo = dimension.over ? std::min(dimension.lo, slot.shift) : slot.shift;
        dimension.hi = dimension.over ? std::max(dimension.hi, slot.shift) : slot.shift;
        dimension.over = &slot;
    }
}

void EntryTest::addSequential(Dimension& dimension, const Access& access, size_t r) {
    const Slot& slot = access.slots[r];
    if (slot.loop && !reaches_.areGuarded(access, r) && reaches_.of(*slot.loop)) {
        const auto [place, isNew] = dimension.loops.try_emplace(slot.loop, slot.shift, slot.shift);
        place->second.first = std::min(place->second.first, slot.shift);
        place->second.second = std::max(place->second.second, slot.shift);
        return;
    }
    const bool atAccess = gathers_ == Gathers::AtAccess || (gathers_ == Gathers::InOrderAtAccess &&
                                                            !lastingIn(*access.loop).empty());
    // Of more than a counter, the beginning of the loop tells more.
    const bool inBounds = gathers_ != Gathers::AtAccess && slot.loop;
    const auto [reach, gathers] = reaches_.ofSubscript(access, r, {inBounds, !atAccess});
    if (!reach || gathers) gatheringLoops_.insert(access.loop);
    if (!reach) {
        unchecked_.insert({access.node, r});
    } else if (gathers) {
        gathered_.emplace(std::tuple(access.array, r, ast::print(reach)), reach);
    } else {
        dimension.others.emplace(ast::print(reach), reach);
    }
}

bool EntryTest::isUnrolled(const Loop& loop) const {
    constexpr long most = 4;  // accesses in its body
    const auto isInBody = [&](size_t k) { return isInside(bodyOf(loop), nest_.accesses[k].node); };
    bool isAsked = false, isWritten = false;  // what is written waits for what was before
    for (const auto& [node, r] : unchecked_) {
        const Access& access = *accessAt(nest_, node);
        if (access.loop != &loop) continue;
        isAsked = true;
        isWritten |= access.writes;
    }
    return loop.kind != Loop::Kind::Other && loop.isInnermost && !isShort(loop) && isAsked &&
           !isWritten && std::ranges::count_if(loop.accesses, isInBody) <= most;
}

/// What elements are before what they are used for.
void EntryTest::requireGathered() {
    for (const NodePtr values : reaches_.takeGathers()) require(values);
    for (const auto& [key, reach] : gathered_) {
        const auto& [array, r, text] = key;
        const NodePtr origin = nest_.loops.front().statement;
        require(context_.expression("hpspmd::detail::holds($a, $r, $reach)",
                                    {{"$a", context_.made(nest_.arrays[array].base, origin)},
                                     {"$r", context_.number(static_cast<long>(r), origin)},
                                     {"$reach", reach}},
                                    origin));
    }
    requireApart(reaches_.gatheredApart());
}

/// True if the nest reads and writes numbers of its elements only, `p[i].x`: operators and copies
/// of the class do not matter.
bool EntryTest::isReachedByNumbers(std::size_t array) const {
    std::set<NodePtr> reached;
    for (const NodePtr member : ast::allOf<ast::Member>(nest_.loops.front().statement))
        if (ast::isNumber(member->type) && !member->type->isReference)
            reached.insert(ast::withoutParentheses(member->child(ast::Member::base)));
    return std::ranges::all_of(nest_.accesses, [&](const Access& access) {
        return access.array != array || reached.contains(access.node);
    });
}

NodePtr EntryTest::ready(const Combination& combination) {
    std::vector<NodePtr> slots;
    for (const Dimension& dimension : combination.dimensions)
        slots.push_back(entry(dimension, combination.first->loop));
    const std::vector<NodePtr> around = enclosing(*combination.first);
    const NodePtr base = nest_.arrays[combination.first->array].base;
    const NodePtr origin = nest_.loops.front().statement;
    const ast::Type* const element = ast::multiarrayType(base)->element;
    const bool isOfObjects = element->kind == ast::TypeKind::Class &&
                             (takesObjects_ || analysis::isPlainValue(element) ||
                              isReachedByNumbers(combination.first->array));
    const std::string question =
        std::string("hpspmd::detail::") + (isOfObjects ? "liesReady" : "ready");
    return context_.expression(
        question + (around.empty() ? "($a, {$slots})" : "($a, {$slots}, {$enclosing})"),
        {{"$a", context_.made(base, origin)}, {"$slots", slots}, {"$enclosing", around}}, origin);
}

NodePtr EntryTest::entry(const Dimension& dimension, const Loop* loop) {
    if (dimension.over) return overEntry(dimension, loop);
    const NodePtr origin = nest_.loops.front().statement;
    std::vector<NodePtr> values;
    for (const auto& [loop, shifts] : dimension.loops) {
        const std::string name = ast::print(reaches_.of(*loop));
        const auto add = [&](long shift) {
            const std::string sign = shift < 0 ? " - " : " + ";
            values.push_back(context_.identifier(
                shift == 0 ? name : name + sign + std::to_string(std::abs(shift)), origin));
        };
        add(shifts.first);
        if (shifts.first != shifts.second) add(shifts.second);
    }
    for (const auto& [text, reach] : dimension.others) values.push_back(reach);
    if (values.empty()) return context_.expression("hpspmd::detail::unchecked", {}, origin);
    return context_.expression("hpspmd::detail::reached({$values})", {{"$values", values}}, origin);
}

NodePtr EntryTest::overEntry(const Dimension& dimension, const Loop* loop) {
    const Slot& slot = *dimension.over;
    const NodePtr origin = nest_.loops.front().statement;
    std::vector<NodePtr> arguments{slot.loop ? context_.made(slot.loop->range, origin)
                                             : context_.made(slot.index, origin)};
    if (slot.distance && !reaches_.isFixed(slot.distance)) {
        const NodePtr reach = reaches_.ofDistance(slot.distance, loop);
        if (reach)
            arguments.push_back(
                context_.expression(slot.negative ? "-($d)" : "$d", {{"$d", reach}}, origin));
        else
            require(context_.expression("false", {}, origin));
    } else if (slot.distance) {
        for (int bound = 0; bound < 2; ++bound)
            arguments.push_back(
                context_.expression(slot.negative ? "-($d)" : "$d",
                                    {{"$d", ast::copy(context_.arena, slot.distance)}}, origin));
    } else if (dimension.lo != 0 || dimension.hi != 0) {
        arguments.push_back(context_.number(dimension.lo, origin));
        arguments.push_back(context_.number(dimension.hi, origin));
    }
    return context_.expression("hpspmd::detail::over($arguments)", {{"$arguments", arguments}},
                               origin);
}

/// The ranges of constructs round the access whose indices it does not use.
std::vector<NodePtr> EntryTest::enclosing(const Access& access) {
    std::vector<NodePtr> ranges;
    for (const Loop* loop = access.loop; loop; loop = loop->outer) {
        const bool isUsed = std::ranges::any_of(
            access.slots, [&](const Slot& slot) { return slot.index && slot.loop == loop; });
        if (loop->kind == Loop::Kind::Overall && !isUsed)
            ranges.insert(ranges.begin(),
                          context_.made(loop->range, nest_.loops.front().statement));
    }
    return ranges;
}

void EntryTest::requireApart(const ArrayPairs& pairs) {
    for (const auto& [left, right] : pairs)
        requireApart(nest_.arrays[left].text, nest_.arrays[right].text);
}

void EntryTest::requireApart(const std::string& left, const std::string& right) {
    const NodePtr origin = nest_.loops.front().statement;
    require(context_.expression(
        "hpspmd::detail::disjoint($a, $b)",
        {{"$a", context_.identifier(left, origin)}, {"$b", context_.identifier(right, origin)}},
        origin));
}

void EntryTest::requireContainersApart(bool isTaken) {
    bool ofAll = false;
    for (const Loop& loop : nest_.loops) {
        ArrayPairs pairs;
        if (!loop.touchesForeign || !isIndependentOfContainers(nest_, loop, pairs)) continue;
        isTaken = true;
        ofAll |= loop.touchesShared;
    }
    if (!isTaken) return;
    const NodePtr origin = nest_.loops.front().statement;
    std::set<size_t> asked;
    for (const Access& access : nest_.accesses)
        if ((ofAll || access.writes) && asked.insert(access.array).second)
            for (const NestArray& container : nest_.containers)
                require(context_.expression(
                    "hpspmd::detail::disjointFrom($a, $container)",
                    {{"$a", context_.identifier(nest_.arrays[access.array].text, origin)},
                     {"$container", context_.identifier(container.text, origin)}},
                    origin));
}

void EntryTest::requirePremises() {
    const std::string premises = premisesOf(nest_);
    if (!premises.empty())
        require(context_.expression(premises, {}, nest_.loops.front().statement));
}

bool EntryTest::requireInside(const Loop& loop) {
    if (lastingIn(nest_).empty()) return false;
    const NodePtr zero = context_.number(0, loop.range);
    const auto values = [&](uint32_t which) {
        const NodePtr bound = tripletOf(loop)->child(which);
        if (!bound) return zero;
        return isOfSigned(bound) ? reaches_.of(bound, loop.outer) : nullptr;
    };
    const NodePtr lows = values(ast::Triplet::low), highs = values(ast::Triplet::high);
    if (!lows || !highs) return false;
    require(context_.expression(
        "hpspmd::detail::liesInside($range, $lows, $highs)",
        {{"$range", context_.made(loop.range, loop.range)}, {"$lows", lows}, {"$highs", highs}},
        loop.range));
    return true;
}

bool areUsedTogether(const Nest& nest, const Loop& inner, const Loop& outer) {
    const auto uses = [](const Access* access, const Loop& loop) {
        return std::ranges::any_of(
            access->slots, [&](const Slot& slot) { return slot.index && slot.loop == &loop; });
    };
    return std::ranges::any_of(accessesIn(nest, inner), [&](const Access* access) {
        return uses(access, inner) && uses(access, outer);
    });
}

}  // namespace hpcc::nests
