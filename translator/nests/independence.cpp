// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/independence.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/dependence.hpp"
#include "analysis/harmless_calls.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "ast/symbol.hpp"
#include "nests/code_of_program.hpp"
#include "nests/container_elements.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// The accesses to one array inside a loop; of those that are written alike in one loop the first.
struct Reached {
    std::vector<const Access*> all, writes;
};

std::vector<Reached> reachedIn(const Nest& nest, const Loop& loop) {
    std::vector<Reached> arrays(nest.arrays.size());
    std::set<std::tuple<const Loop*, bool, std::string>> known;
    for (const Access* const access : accessesIn(nest, loop)) {
        if (!known.emplace(access->loop, access->writes, ast::print(access->node)).second) continue;
        arrays[access->array].all.push_back(access);
        if (access->writes) arrays[access->array].writes.push_back(access);
    }
    return arrays;
}

bool meetsNone(const Nest& nest, const Loop& loop, ArrayPairs& apart, const IsExcused& isExcused) {
    ArrayPairs pairs;
    if (meetingIn(nest, loop, pairs, isExcused).write || pairs.size() > mostArrayPairs)
        return false;
    apart.merge(pairs);
    return true;
}

}  // namespace

std::string Meeting::reason() const {
    const std::string written = quoted(ast::print(write->node)),
                      reached = quoted(ast::print(other->node));
    if (written == reached) return "perhaps changes " + written + " in several iterations";
    return "reaches " + reached + ", which another iteration perhaps changes as " + written;
}

Meeting meetingIn(const Nest& nest, const Loop& loop, ArrayPairs& apart,
                  const IsExcused& isExcused) {
    if (nest.isPromised && loop.kind == Loop::Kind::Overall) return {};
    const std::vector<Reached> arrays = reachedIn(nest, loop);
    for (const Reached& array : arrays)
        for (const Access* write : array.writes)
            for (const Access* other : array.all)
                if (!nest.dependences()
                         .meeting(write->node, other->node, headerOf(loop))
                         .isApart() &&
                    !(isExcused && isExcused(*write, *other)))
                    return {write, other};
    for (size_t k = 0; k < arrays.size(); ++k)
        for (size_t other = 0; !arrays[k].writes.empty() && other < arrays.size(); ++other) {
            if (apart.size() > mostArrayPairs) return {};
            if (other != k && !arrays[other].all.empty()) apart.insert(std::minmax(k, other));
        }
    return {};
}

bool isIndependent(const Nest& nest, const Loop& loop, ArrayPairs& apart,
                   const IsExcused& isExcused) {
    if (!loop.isInnermost || loop.kind == Loop::Kind::Other || loop.touchesForeign || loop.jumps)
        return false;
    return meetsNone(nest, loop, apart, isExcused);
}

bool isIndependentOfContainers(const Nest& nest, const Loop& loop, ArrayPairs& apart) {
    if (!loop.touchesForeign) return isIndependent(nest, loop, apart);
    return loop.isInnermost && loop.kind != Loop::Kind::Other && !loop.jumps &&
           hasOwnContainerElements(nest, loop) && meetsNone(nest, loop, apart, nullptr);
}

bool runsInAnyOrder(const Nest& nest, const Loop& loop, ArrayPairs& apart) {
    return loop.kind != Loop::Kind::Other && !loop.touchesShared && !loop.jumps &&
           lastingIn(loop).empty() && meetsNone(nest, loop, apart, nullptr);
}

bool runsInLanes(const Nest& nest, const Loop& loop, ArrayPairs& apart) {
    Names lasting = lastingIn(loop);
    for (const ast::Symbol* vector : loop.scratch) lasting.erase(vector->name);
    return loop.kind != Loop::Kind::Other && !loop.touchesLasting && !loop.jumps &&
           lasting.empty() && meetsNone(nest, loop, apart, nullptr);
}

bool isIndependentRound(const Nest& nest, const Loop& loop, ArrayPairs& apart) {
    const bool isRoundCounting = std::ranges::all_of(loopsIn(nest, loop), [&](const Loop& each) {
        return &each == &loop || each.kind == Loop::Kind::Counting;
    });
    return !loop.isInnermost && isRoundCounting && runsInAnyOrder(nest, loop, apart);
}

Obstacle orderOf(const Nest& nest, const Loop& loop) {
    if (!loop.isInnermost || loop.kind == Loop::Kind::Other) return {};
    const NodePtr body = bodyOf(loop);
    const auto first = [body](const auto& isWanted) {
        NodePtr found = nullptr;
        ast::anywhere(body, [&](NodePtr each) { return isWanted(each) && (found = each); });
        return found ? found : body;
    };
    const auto isUnknownCall = [](NodePtr e) {
        return e->is<ast::Call>() && !analysis::isHarmlessCall(e);
    };
    if (const NodePtr call = first(isUnknownCall); call != body)
        return {call,
                "calls " + quoted(ast::print(call->child(ast::Call::callee))) +
                    ", which is not known to compute a value and nothing else",
                cureOfCall(call->child(ast::Call::callee))};
    ArrayPairs apart;
    if (isIndependentOfContainers(nest, loop, apart)) return {};
    if (loop.touchesForeign)
        return {
            first([&](NodePtr e) { return e->is<ast::Subscript>() && !nest.accessOf.contains(e); }),
            "reads or writes memory that is not a multiarray's",
            "let it be elements of a multiarray, or numbers that are fixed before the nest"};
    if (loop.jumps)
        return {first([](NodePtr e) { return e->is<ast::Break>() || e->is<ast::Continue>(); }),
                "jumps", "an 'if' round what 'continue' leaves out does the same"};
    const Meeting meeting = meetingIn(nest, loop, apart);
    if (!meeting.write) return {};
    return {meeting.other->node, meeting.reason()};
}

bool hasOwnElements(const Nest& nest, const Loop& loop, size_t array) {
    const auto isApart = [&](const Access& write, const Access& other) {
        return nest.dependences()
            .meeting(write.node, other.node, headerOf(loop), analysis::Outer::Any)
            .isApart();
    };
    return std::ranges::all_of(nest.accesses, [&](const Access& write) {
        return !write.writes || write.array != array ||
               std::ranges::all_of(nest.accesses, [&](const Access& other) {
                   return other.array != array || isApart(write, other);
               });
    });
}

}  // namespace hpcc::nests
