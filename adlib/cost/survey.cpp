// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/survey.hpp"

#include <chrono>
#include <hpspmd/active.hpp>
#include <map>

#include "cost/work.hpp"

namespace hpspmd::detail::cost {
namespace {

/// Processes that do alike: one of them, and how many they are.
struct Class {
    int process;
    double size;
};

/// What one coordinate takes and gives in one dimension, apart from who the partners are.
using Signature = std::vector<Index>;

Index elements(const plan::Link& link) {
    Index total = 0;
    for (const plan::Run<2>& run : link.runs) total += run.count;
    return total;
}

Signature signatureOf(const plan::Pairing& pairing, int coordinate) {
    Signature signature;
    const auto add = [&](int to, int from) {
        signature.push_back(-1 - (to == from));  // a partner, perhaps itself
        for (const plan::Link& link : pairing.links(to, from)) {
            signature.push_back(link.inPlace);
            signature.push_back(elements(link));
            signature.push_back(static_cast<Index>(link.runs.size()));
        }
    };
    for (const int source : pairing.sources(coordinate)) add(coordinate, source);
    signature.push_back(-3);
    for (const int destination : pairing.destinations(coordinate)) add(destination, coordinate);
    return signature;
}

/// One coordinate for each signature of a dimension, and how many coordinates have it.
std::vector<std::pair<int, double>> coordinateClasses(const plan::Operation& operation,
                                                      const plan::Join& join) {
    std::map<Signature, std::pair<int, double>> classes;
    const int size = static_cast<int>(operation.to.range(join.to).dim().size());
    for (int c = 0; c < size; ++c) {
        const auto entry =
            classes.try_emplace(signatureOf(*join.pairing, c), std::pair{c, 0.0}).first;
        ++entry->second.second;
    }
    std::vector<std::pair<int, double>> result;
    for (const auto& [signature, members] : classes) result.push_back(members);
    return result;
}

/// All combinations of the coordinates' classes; the copies of a replicated array count together.
std::vector<Class> separableClasses(const plan::Operation& operation) {
    std::vector<Class> result;
    std::vector<int> coordinates(operation.joins.size());
    const auto choose = [&](const auto& self, std::size_t r, double size) -> void {
        if (r == operation.joins.size()) {
            const auto copies = static_cast<double>(operation.to.holders(coordinates).size());
            result.push_back({operation.to.nearest(coordinates, 0), size * copies});
            return;
        }
        for (const auto& [coordinate, count] : coordinateClasses(operation, operation.joins[r])) {
            coordinates[static_cast<std::size_t>(operation.joins[r].to)] = coordinate;
            self(self, r + 1, size * count);
        }
    };
    choose(choose, 0, 1);
    return result;
}

/// Every process, or of many some at equal distances.
std::vector<Class> sampledClasses(int processes) {
    const int count = processes <= 4096 ? processes : 64;
    std::vector<Class> result;
    for (int k = 0; k < count; ++k)
        result.push_back({static_cast<int>(Index{k} * processes / count),
                          static_cast<double>(processes) / count});
    return result;
}

}  // namespace

Adlib::Cost survey(const plan::Operation& operation, bool isSeparable, std::size_t elementSize,
                   const Adlib::Machine& machine) {
    using Clock = std::chrono::steady_clock;
    const int processes = apg().size();
    const auto size = static_cast<double>(elementSize);
    std::vector<Class> classes =
        isSeparable ? separableClasses(operation) : sampledClasses(processes);
    Adlib::Cost cost;
    cost.processes = processes;
    cost.planned = static_cast<Index>(classes.size());
    cost.isExact = isSeparable || cost.planned == processes;
    const double idle = processes - static_cast<double>(operation.to.group().size());
    bool isFirst = true;
    if (isSeparable && idle > 0) {  // the rest of the APG has nothing to do
        include(cost, Work(), idle / processes, true);
        isFirst = false;
    }
    for (const Class& each : classes) {
        const Clock::time_point start = Clock::now();
        const plan::Plan plan = plan::planFor(operation, each.process);
        const double inspector = std::chrono::duration<double>(Clock::now() - start).count();
        const Work work = workOf(plan, each.process, size, machine);
        include(cost, work, each.size / processes, isFirst);
        isFirst = false;
        cost.planBytes = std::max(cost.planBytes, memoryOf(plan));
        cost.inspectorSeconds = std::max(cost.inspectorSeconds, inspector);
    }
    return cost;
}

}  // namespace hpspmd::detail::cost
