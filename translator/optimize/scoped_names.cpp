// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "optimize/scoped_names.hpp"

#include <algorithm>
#include <limits>

namespace hpcc::optimize {

/// Where a variable of the function may be meant. Parameters, and what other bodies declare, take
/// their names everywhere.
ScopedNames::Range ScopedNames::rangeOf(int variable) const {
    const FlowGraph::Home home = graph_.homeOf(variable + firstVariable);
    if (home.place < 0) return {0, std::numeric_limits<int>::max()};
    return home.inHead ? Range{home.place, graph_.place(home.place).end} : rangeBefore(home.place);
}

/// From the place to the end of the list that it stands in: also before it, because a name must
/// not mean two things in one list.
ScopedNames::Range ScopedNames::rangeBefore(int place) const {
    const int list = graph_.place(place).edge == Edge::List ? graph_.place(place).parent : place;
    return list < 0 ? Range{0, std::numeric_limits<int>::max()}
                    : Range{list, graph_.place(list).end};
}

bool ScopedNames::isFree(const std::string& name, Range wanted, Range except) const {
    const auto meets = [&](const Range& other) {
        const bool excepted = other.begin > except.begin && other.end <= except.end;
        return !excepted && other.begin < wanted.end && wanted.begin < other.end;
    };
    const Names& names = graph_.names();
    const int last = names.lastNamed(name);
    for (int variable = last; variable >= 0; variable = names[variable].namesake)
        if (meets(rangeOf(variable))) return false;
    const auto added = added_.find(name);
    if (added == added_.end()) return last >= 0 || !function_.isUsed(name);
    return std::none_of(added->second.begin(), added->second.end(), meets);
}

bool ScopedNames::mayLeave(int place, const std::string& name) const {
    return isFree(name, rangeBefore(place), {place, graph_.place(place).end});
}

std::string ScopedNames::before(int place, const std::string& wanted) {
    const Range range = rangeBefore(place);
    std::string name = wanted;
    for (int number = 2; !isFree(name, range, {}); ++number)
        name = wanted + "_" + std::to_string(number);
    added_[name].push_back(range);
    function_.use(name);
    return name;
}

}  // namespace hpcc::optimize
