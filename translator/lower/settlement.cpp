// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/settlement.hpp"

#include <algorithm>

#include "ast/print.hpp"
#include "lower/regions.hpp"

namespace hpcc::lower {

using ast::NodePtr;

NodePtr startOf(NodePtr body) {
    const bool block = body->is<ast::Compound>() && !body->children().empty();
    return block && !beginsWithDirective(body) ? body->child(0) : body;
}

Demand Settlement::uncertain(Demand certain, NodePtr home, bool isAccess) {
    plan_.homes.push_back({home, isAccess, certain});
    certain.homes = {&plan_.homes.back()};
    certain.guards.clear();
    return certain;
}

Demand Settlement::perhapsLeftOut(Demand demand, NodePtr home) {
    if (demand.isCertain()) demand = uncertain(std::move(demand), home);
    demand.forgetReaches();
    demand.inMacro = true;
    return demand;
}

void Settlement::place(NodePtr statement, const Demands& demands) {
    for (const Demand& demand : demands) place(statement, demand);
}

void Settlement::place(NodePtr statement, Demand demand) {
    if (demand.isCertain())
        placeCertain(statement, std::move(demand));
    else if (isMetAt(statement, demand))
        return;
    else if (demand.loops > 0)
        placeFlag(statement, std::move(demand));
    else
        placeAtHomes(demand);
}

void Settlement::placeAtStart(NodePtr body, const Demands& demands) {
    place(startOf(body), demands);
}

void Settlement::collect(Demands& list, Demand demand) {
    Demands superfluous;
    list.add(std::move(demand), superfluous);
    met(superfluous);
}

bool Settlement::isMetAt(NodePtr statement, Demand demand) {
    const Demands* known = plan_.at(statement);
    if (!known) return false;
    for (const Demand& check : *known) {
        if (!check.declares.empty() || !check.coversIndices(demand)) continue;
        demand.adaptTo(check);
        if (!check.covers(demand)) continue;
        within(demand);
        met({demand});
        return true;
    }
    return false;
}

void Settlement::within(const Demand& demand) {
    for (size_t r = 0; r < demand.slots.size(); ++r)
        for (const NodePtr access : demand.slots[r].accesses) plan_.within[access].insert(r);
}

void Settlement::placeCertain(NodePtr statement, Demand demand) {
    within(demand);
    collect(plan_.before[statement], std::move(demand));
}

void Settlement::met(const Demands& demands) {
    for (const Demand& demand : demands)
        for (const Home* home : demand.homes)
            if (home->isAccess) plan_.covered.insert(home->place);
}

// An access inside an expression has no place for a check; it keeps the library form.
void Settlement::placeAtHomes(const Demand& demand) {
    for (const Home* home : demand.homes)
        if (!home->isAccess) placeCertain(home->place, home->demand);
}

/// What the flag does not ask is checked at the accesses, whatever the flag says.
static void forgetUnasked(Demand& check, const Demand& flag) {
    for (size_t r = 0; r < check.slots.size(); ++r) {
        const auto& asked = flag.slots[r].accesses;
        const bool all = std::ranges::all_of(check.slots[r].accesses, [&](NodePtr access) {
            return std::ranges::find(asked, access) != asked.end();
        });
        if (!all) check.slots[r].forgetReaches();
    }
}

void Settlement::placeFlag(NodePtr statement, Demand demand) {
    demand.declares = flagName(demand);
    within(demand);
    for (const Home* home : demand.homes) {
        if (home->isAccess) {
            plan_.flagged[home->place] = demand.declares;
        } else {
            Demand check = home->demand;
            check.flag = demand.declares;
            forgetUnasked(check, demand);
            collect(plan_.before[home->place], std::move(check));
        }
    }
    plan_.before[statement].append(std::move(demand));
}

std::string Settlement::flagName(const Demand& demand) {
    const std::string name = ast::FreshNames::wordOf(ast::print(demand.array));
    return names_.next(name + "_fits", counts_);
}

}  // namespace hpcc::lower
