// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cost/survey.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <hpspmd/active.hpp>
#include <map>

#include "cost/work.hpp"

namespace hpspmd::detail::cost {
namespace {

/// Of more processes than this a sample is planned.
constexpr int mostPlanned = 4096, sample = 64;

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

/// Every process, or of many some at equal distances; the first ones of them are far apart, too.
std::vector<Class> sampledClasses(int processes) {
    const int count = processes <= mostPlanned ? processes : sample;
    const int places = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
    std::vector<Class> result;
    for (int k = 0; k < places; ++k) {
        int place = 0;  // k with its bits in the other order
        for (int bit = 1; bit < places; bit *= 2) place = 2 * place + ((k & bit) != 0);
        if (place < count)
            result.push_back({static_cast<int>(Index{place} * processes / count),
                              static_cast<double>(processes) / count});
    }
    return result;
}

/// The classes that were planned, with what one process of each does. All of them, but if not only
/// the messages of single processes are too many, some have to do for others.
struct Surveyed {
    std::vector<Work> works;
    double planBytes = 0, inspectorSeconds = 0;

    Surveyed(const plan::Operation& operation, const std::vector<Class>& classes, bool isSeparable,
             std::size_t elementSize, const Adlib::Machine& machine) {
        using Clock = std::chrono::steady_clock;
        const std::size_t most = classes.size() > sample ? 4'000'000 : 1'000'000, fewest = 2;
        std::size_t messages = 0;
        for (const Class& each : classes) {
            const Clock::time_point start = Clock::now();
            const plan::Plan plan = plan::planFor(operation, each.process);
            const double inspector = std::chrono::duration<double>(Clock::now() - start).count();
            works.push_back(workOf(plan, each.process, static_cast<double>(elementSize), machine));
            planBytes = std::max(planBytes, memoryOf(plan));
            inspectorSeconds = std::max(inspectorSeconds, inspector);
            messages += plan.sends.size() + plan.receives.size();
            if (!isSeparable && works.size() >= fewest && messages > most) break;
        }
    }
};

}  // namespace

Adlib::Cost survey(const plan::Operation& operation, bool isSeparable, std::size_t elementSize,
                   const Adlib::Machine& machine) {
    const int processes = apg().size();
    std::vector<Class> classes =
        isSeparable ? separableClasses(operation) : sampledClasses(processes);
    const Surveyed surveyed(operation, classes, isSeparable, elementSize, machine);
    const std::size_t planned = surveyed.works.size();
    Adlib::Cost cost;
    cost.processes = processes;
    cost.planned = static_cast<Index>(planned);
    cost.isExact = isSeparable || cost.planned == processes;
    cost.planBytes = surveyed.planBytes;
    cost.inspectorSeconds = surveyed.inspectorSeconds;
    const double idle = processes - static_cast<double>(operation.to.group().size());
    bool isFirst = true;
    if (isSeparable && idle > 0) {  // the rest of the APG has nothing to do
        include(cost, Work(), idle / processes, true);
        isFirst = false;
    }
    const double standsFor =
        static_cast<double>(classes.size()) / static_cast<double>(planned * std::size_t(processes));
    for (std::size_t k = 0; k < planned; ++k) {
        include(cost, surveyed.works[k], classes[k].size * standsFor, isFirst);
        isFirst = false;
    }
    return cost;
}

}  // namespace hpspmd::detail::cost
