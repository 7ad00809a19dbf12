#include "optimize/scoped_names.hpp"

#include <limits>

namespace hpcc::optimize {

ScopedNames::ScopedNames(Function& function, const FlowGraph& graph)
    : function_(function), graph_(graph) {
    for (int variable = 0; variable < graph.names().size(); ++variable) {
        const FlowGraph::Home home = graph.homeOf(variable + firstVariable);
        // Parameters, and what other bodies declare: taken everywhere.
        Range range{0, std::numeric_limits<int>::max()};
        if (home.place >= 0 && home.inHead) {
            range = {home.place, graph.place(home.place).end};
        } else if (home.place >= 0) {
            range = rangeBefore(home.place);
        }
        taken_[std::string(graph.names()[variable].name)].push_back(range);
    }
}

/// From the place to the end of the list that it stands in: also before it, because a name must
/// not mean two things in one list.
ScopedNames::Range ScopedNames::rangeBefore(int place) const {
    const int list = graph_.place(place).edge == Edge::List ? graph_.place(place).parent : place;
    return list < 0 ? Range{0, std::numeric_limits<int>::max()}
                    : Range{list, graph_.place(list).end};
}

bool ScopedNames::isFree(const std::string& name, Range wanted, Range except) const {
    const auto taken = taken_.find(name);
    if (taken == taken_.end()) return !function_.isUsed(name);
    for (const Range& other : taken->second) {
        const bool excepted = other.begin > except.begin && other.end <= except.end;
        if (!excepted && other.begin < wanted.end && wanted.begin < other.end) return false;
    }
    return true;
}

bool ScopedNames::mayLeave(int place, const std::string& name) const {
    return isFree(name, rangeBefore(place), {place, graph_.place(place).end});
}

std::string ScopedNames::before(int place, const std::string& wanted) {
    const Range range = rangeBefore(place);
    std::string name = wanted;
    for (int number = 2; !isFree(name, range, {}); ++number)
        name = wanted + "_" + std::to_string(number);
    taken_[name].push_back(range);
    function_.use(name);
    return name;
}

}  // namespace hpcc::optimize
