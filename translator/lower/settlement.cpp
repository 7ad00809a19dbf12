#include "lower/settlement.hpp"

#include <algorithm>

#include "ast/print.hpp"

namespace hpcc::lower {

using ast::NodePtr;

NodePtr startOf(NodePtr body) {
    const bool block = body->is<ast::Compound>() && !body->children().empty();
    return block ? body->child(0) : body;
}

Demand Settlement::uncertain(Demand certain, NodePtr home, bool isAccess) {
    plan_.homes.push_back({home, isAccess, certain});
    certain.homes = {&plan_.homes.back()};
    certain.guards.clear();
    return certain;
}

void Settlement::place(NodePtr statement, const Demands& demands) {
    for (const Demand& demand : demands) place(statement, demand);
}

void Settlement::place(NodePtr statement, Demand demand) {
    if (demand.isCertain())
        collect(plan_.before[statement], std::move(demand));
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
    add(list, std::move(demand), superfluous);
    met(superfluous);
}

bool Settlement::isMetAt(NodePtr statement, const Demand& demand) {
    const Demands* known = plan_.at(statement);
    const bool isMet = known && std::ranges::any_of(*known, [&](const Demand& check) {
                           return check.declares.empty() && check.covers(demand);
                       });
    if (isMet) met({demand});
    return isMet;
}

void Settlement::met(const Demands& demands) {
    for (const Demand& demand : demands)
        for (const Home* home : demand.homes)
            if (home->isAccess) plan_.covered.insert(home->place);
}

// An access inside an expression has no place for a check; it keeps the library form.
void Settlement::placeAtHomes(const Demand& demand) {
    for (const Home* home : demand.homes)
        if (!home->isAccess) collect(plan_.before[home->place], home->demand);
}

void Settlement::placeFlag(NodePtr statement, Demand demand) {
    demand.declares = flagName(demand);
    for (const Home* home : demand.homes) {
        if (home->isAccess) {
            plan_.flagged[home->place] = demand.declares;
        } else {
            Demand check = home->demand;
            check.flag = demand.declares;
            collect(plan_.before[home->place], std::move(check));
        }
    }
    plan_.before[statement].push_back(std::move(demand));
}

std::string Settlement::flagName(const Demand& demand) {
    std::string name;
    for (const char c : ast::print(demand.array))
        if (c == '_' || std::isalnum(static_cast<unsigned char>(c)))
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    return names_.name(name + "_fits", flagNames_);
}

}  // namespace hpcc::lower
