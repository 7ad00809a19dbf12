// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/placement.hpp"

#include <algorithm>

namespace hpcc::optimize {
namespace {

/// True if the value is surely computed by one of the uses in the statement.
bool isCertainIn(const FlowGraph& graph, int place, Uses uses) {
    const auto first = std::ranges::lower_bound(uses, place, {}, &Use::place);
    for (auto use = first; use != uses.end() && use->place == place; ++use)
        if (!use->isConditional) return true;
    const Place& statement = graph.place(place);
    if (first == uses.end() || first->place >= statement.end) return false;
    if (statement.isList) {
        for (int child = place + 1; child < statement.end; child = graph.place(child).end) {
            if (isCertainIn(graph, child, uses)) return true;
            if (graph.place(child).mayJump) return false;
        }
        return false;
    }
    if (statement.statement->is<ast::If>()) {
        const int then = place + 1;
        const int otherwise = graph.place(then).end;
        return otherwise < statement.end && isCertainIn(graph, then, uses) &&
               isCertainIn(graph, otherwise, uses);
    }
    if (statement.statement->is<ast::DoWhile>()) return isCertainIn(graph, place + 1, uses);
    return false;
}

/// True if the value is surely computed by one of the uses once control stands before `place`.
bool isCertainFrom(const FlowGraph& graph, int place, Uses uses) {
    return isCertainIn(graph, place, uses) ||
           (!graph.place(place).mayJump && isCertainBehind(graph, place, uses));
}

}  // namespace

bool isCertainBehind(const FlowGraph& graph, int place, Uses uses, int goal) {
    if (place == goal) return true;
    const int outer = graph.place(place).parent;
    if (outer < 0) return false;
    if (graph.place(outer).isList) {
        const int end = graph.place(outer).end;
        for (int next = graph.place(place).end; next < end; next = graph.place(next).end) {
            if (isCertainIn(graph, next, uses)) return true;
            if (graph.place(next).mayJump) return false;
        }
    } else if (!graph.place(outer).statement->is<ast::If>()) {
        return false;
    }
    return isCertainBehind(graph, outer, uses, goal);
}

int commonPlace(const FlowGraph& graph, int place, int other) {
    while (!graph.isInside(other, place)) place = graph.place(place).parent;
    return place;
}

int childTowards(const FlowGraph& graph, int place, int outer) {
    while (graph.place(place).parent != outer) place = graph.place(place).parent;
    return place;
}

Placement::Placement(const Keys& keys, const Versions& versions, const Questions& questions,
                     int key, const Site& sample)
    : graph_(keys.graph()), versions_(versions), questions_(questions), key_(keys[key]) {
    for (const int variable : key_.variables)
        wanted_.push_back(versions.at(sample.block, sample.step, variable));
}

bool Placement::isValidBefore(int place) const {
    const Place& there = graph_.place(place);
    for (size_t k = 0; k < key_.variables.size(); ++k) {
        const int variable = key_.variables[k];
        if (variable >= firstVariable && !graph_.isDeclaredBefore(variable, place)) return false;
        if (versions_.at(there, variable) != wanted_[k]) return false;
    }
    return true;
}

/// A question that might fail moves only where it was asked anyway, at the entry of the loop, or
/// where the same range or array has answered another question before.
bool Placement::mayLeaveLoop(const Site& site, int loop) const {
    if (!key_.mayThrow || questions_.haveAnswers(key_.asked, loop)) return true;
    return site.place == loop && site.isHead && !site.isConditional &&
           !graph_.place(loop).statement->is<ast::DoWhile>();
}

Use Placement::useBy(const Site& site, int number) const {
    Use use{number, site.isHead ? -1 : site.place, false, site.isConditional};
    const bool ownConditional = site.isConditional && key_.mayThrow;
    if (ownConditional) use.place = -1;
    int loop = site.isHead ? site.place : graph_.loopAround(site.place);
    while (loop >= 0 && mayLeaveLoop(site, loop) && isValidBefore(loop)) {
        if (graph_.place(loop).canPrecede) {
            use.place = loop;
            use.isHoisted = true;
            use.isConditional = false;
        }
        loop = graph_.loopAround(loop);
    }
    if (use.place >= 0 && !graph_.place(use.place).canPrecede) use.place = -1;
    return use;
}

std::vector<Spot> Placement::spots(std::vector<Use> uses) const {
    std::ranges::stable_sort(uses, {}, &Use::place);
    std::vector<Spot> spots;
    cluster(uses, spots);
    return spots;
}

void Placement::cluster(Uses uses, std::vector<Spot>& spots) const {
    if (uses.empty()) return;
    if (uses.size() == 1) {
        if (uses[0].isHoisted) spots.push_back({uses[0].place, {uses[0].site}});
        return;
    }
    const int top = commonPlace(graph_, uses.front().place, uses.back().place);
    const bool here = uses.front().place == top;
    const bool inList = !here && graph_.place(top).isList;
    const int place = inList ? childTowards(graph_, uses.front().place, top) : top;
    const bool moves = place != uses.front().place;
    // Where no declaration can stand in the list, the value is seen inside of the statement only.
    const bool seen =
        graph_.place(place).edge == Edge::List || uses.back().place < graph_.place(place).end;
    if (seen && graph_.place(place).canPrecede && isValidBefore(place) &&
        !(moves && key_.mayThrow) && isCertainFrom(graph_, place, uses)) {
        Spot spot{place, {}};
        for (const Use& use : uses) spot.sites.push_back(use.site);
        spots.push_back(std::move(spot));
        return;
    }
    split(uses, top, spots);
}

/// The uses in the first part of `top` alone; then the others together, if they stand in one list.
void Placement::split(Uses uses, int top, std::vector<Spot>& spots) const {
    if (uses.front().place == top) {  // cannot be preceded: nothing is gained there
        return cluster(uses.subspan(1), spots);
    }
    const int first = childTowards(graph_, uses.front().place, top);
    size_t count = 1;
    while (count < uses.size() && graph_.isInside(uses[count].place, first)) ++count;
    cluster(uses.first(count), spots);
    cluster(uses.subspan(count), spots);
}

}  // namespace hpcc::optimize
