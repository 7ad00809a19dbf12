// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/joins.hpp"

#include <algorithm>

#include "optimize/edits.hpp"

namespace hpcc::optimize {

struct Joins::Search {
    int key;
    const Values& values;
    std::vector<int> conditions;  // where some variable of the key gets a phi function
    std::vector<Growth> grown;
};

Joins::Joins(const Keys& keys, const Versions& versions, const Questions& questions,
             const std::vector<Site>& sites)
    : keys_(keys), graph_(keys.graph()), versions_(versions), questions_(questions), sites_(sites) {
    for (size_t k = 0; k < graph_.places().size(); ++k)
        if (graph_.places()[k].statement->is<ast::If>())
            conditions_[graph_.places()[k].endBlock] = static_cast<int>(k);
}

/// Those that control comes to.
std::vector<Side> Joins::sidesOf(int condition) const {
    const int then = condition + 1, otherwise = graph_.place(then).end;
    std::vector<Side> sides{
        {condition, then, graph_.place(then).endBlock, graph_.place(then).endStep}};
    if (otherwise < graph_.place(condition).end) {
        const Place& other = graph_.place(otherwise);
        sides.push_back({condition, otherwise, other.endBlock, other.endStep});
    } else {
        const auto& blocks = graph_.blocks();
        const auto first = static_cast<size_t>(graph_.place(then).block);
        const int decision = blocks[first].predecessors[0];
        const size_t steps = blocks[static_cast<size_t>(decision)].steps.size();
        sides.push_back({condition, -1, decision, static_cast<int>(steps)});
    }
    std::erase_if(sides, [this](const Side& side) {
        return side.block < 0 || !versions_.isReached(side.block);
    });
    return sides;
}

/// In the order in which their sides meet.
std::vector<int> Joins::conditionsOf(int key) const {
    std::set<std::pair<int, int>> found;
    for (const int variable : keys_[key].variables)
        for (const int block : versions_.phis(variable))
            if (const auto at = conditions_.find(block); at != conditions_.end())
                found.insert({graph_.place(at->second).end, -at->second});
    std::vector<int> conditions;
    for (const auto& [end, condition] : found) conditions.push_back(-condition);
    return conditions;
}

std::vector<Web> Joins::websOf(int key, const Values& values) const {
    Search search{key, values, {}, {}};
    if (!keys_[key].mayThrow && keys_[key].hasStride) search.conditions = conditionsOf(key);
    for (const int condition : search.conditions) {
        const Place& place = graph_.place(condition);
        const auto value = valueAt(key, place.endBlock, place.endStep);
        const auto has = [&](const Growth& each) { return each.joined.contains(value); };
        if (!values.contains(value) || std::ranges::any_of(search.grown, has)) continue;
        Growth growth;
        if (!join(search, condition, -1, growth)) continue;
        // What it has taken in of others belongs to it.
        std::erase_if(search.grown, [&](const Growth& each) {
            return std::ranges::includes(growth.joined, each.joined);
        });
        search.grown.push_back(std::move(growth));
    }
    std::vector<Web> webs;
    for (const Growth& growth : search.grown)
        if (Web web = webOf(search, growth); web.declaration >= 0) webs.push_back(std::move(web));
    return webs;
}

/// Makes the value behind the `if` available there. It must be asked for on all ways that lead on,
/// or stay what it is up to the end of `goal`.
bool Joins::join(const Search& search, int condition, int goal, Growth& growth) const {
    const Place& place = graph_.place(condition);
    const auto value = valueAt(search.key, place.endBlock, place.endStep);
    if (growth.joined.contains(value)) return true;
    const auto asked = search.values.find(value);
    const std::vector<Use> uses =
        asked == search.values.end() ? std::vector<Use>() : usesOf(search.key, asked->second);
    if (!isCertainBehind(graph_, condition, uses, goal)) return false;
    for (const int variable : keys_[search.key].variables)
        if (variable >= firstVariable && !graph_.isDeclaredBefore(variable, condition))
            return false;
    bool isComputed = false;
    Growth grown = growth;
    for (const Side& side : sidesOf(condition)) {
        if (isAvailable(search, side, grown)) {
            isComputed = true;
            continue;
        }
        if (side.branch < 0 && !Edits::mayGetElse(place.statement)) return false;
        grown.sides.push_back(side);
    }
    if (!isComputed) return false;
    grown.joined.insert(value);
    growth = std::move(grown);
    return true;
}

/// True if the value of the side's end has been computed on all ways to it. Adds what computes it.
bool Joins::isAvailable(const Search& search, const Side& side, Growth& growth) const {
    const auto value = valueAt(search.key, side.block, side.step);
    if (growth.joined.contains(value)) return true;
    for (const Growth& other : search.grown) {
        if (!other.joined.contains(value)) continue;
        growth.spots.insert(growth.spots.end(), other.spots.begin(), other.spots.end());
        growth.sides.insert(growth.sides.end(), other.sides.begin(), other.sides.end());
        growth.joined.insert(other.joined.begin(), other.joined.end());
        return true;
    }
    if (const auto asked = search.values.find(value); asked != search.values.end())
        if (const auto spot = spotBefore(search.key, asked->second, side)) {
            growth.spots.push_back(*spot);
            return true;
        }
    for (const int condition : search.conditions) {
        const Place& place = graph_.place(condition);
        if (condition != side.condition &&
            valueAt(search.key, place.endBlock, place.endStep) == value &&
            join(search, condition, side.branch, growth))
            return true;
    }
    return false;
}

/// The uses of one value, in order.
std::vector<Use> Joins::usesOf(int key, const std::vector<int>& sites) const {
    const auto site = [this](int number) -> const Site& {
        return sites_[static_cast<size_t>(number)];
    };
    const Placement placement(keys_, versions_, questions_, key, site(sites[0]));
    std::vector<Use> uses;
    for (const int number : sites) {
        const Use use = placement.useBy(site(number), number);
        if (use.place >= 0 && placement.isValidBefore(use.place)) uses.push_back(use);
    }
    std::ranges::stable_sort(uses, {}, &Use::place);
    return uses;
}

/// A temporary for some of the sites, all of them of one value, that all ways to the side's end
/// compute.
std::optional<Spot> Joins::spotBefore(int key, const std::vector<int>& sites,
                                      const Side& side) const {
    const auto uses = usesOf(key, sites);
    const auto comesFirst = [&](int place) {
        return versions_.dominates(graph_.place(place), side.block, side.step);
    };
    const Placement placement(keys_, versions_, questions_, key,
                              sites_[static_cast<size_t>(sites[0])]);
    for (Spot& spot : placement.spots(uses))
        if (comesFirst(spot.place)) return std::move(spot);
    for (const Use& use : uses)
        if (!use.isConditional && comesFirst(use.place)) return Spot{use.place, {use.site}};
    return std::nullopt;
}

Web Joins::webOf(const Search& search, const Growth& growth) const {
    Web web;
    for (const Spot& spot : growth.spots) {
        const auto same = std::ranges::find(web.spots, spot.place, &Spot::place);
        if (same == web.spots.end()) web.spots.push_back(spot);
        web.sites.insert(web.sites.end(), spot.sites.begin(), spot.sites.end());
    }
    web.sides = growth.sides;
    for (const auto& value : growth.joined)
        if (const auto asked = search.values.find(value); asked != search.values.end())
            web.sites.insert(web.sites.end(), asked->second.begin(), asked->second.end());
    web.declaration = declarationOf(web);
    return web;
}

/// In the innermost list that holds all of the web; -1 if a declaration can stand in none.
int Joins::declarationOf(const Web& web) const {
    std::vector<int> places;
    for (const Spot& spot : web.spots) places.push_back(spot.place);
    for (const Side& side : web.sides) places.push_back(side.condition);
    for (const int site : web.sites) places.push_back(sites_[static_cast<size_t>(site)].place);
    const auto [first, last] = std::ranges::minmax(places);
    const int top = commonPlace(graph_, first, last);
    int place = top != first && graph_.place(top).isList ? childTowards(graph_, first, top) : top;
    while (place >= 0 && (graph_.place(place).edge != Edge::List || graph_.place(place).parent < 0))
        place = graph_.place(place).parent;
    return place;
}

}  // namespace hpcc::optimize
