// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/indirect.hpp"

#include <algorithm>
#include <hpspmd/location.hpp>

#include "plan/layout.hpp"
#include "plan/local_elements.hpp"

namespace hpspmd::detail::plan {
namespace {

/// Appends an element to a list of runs; elements in arithmetic progression make one run.
template <int K>
void append(Runs<K>& runs, const std::array<Index, K>& at) {
    if (runs.empty()) {
        runs.push_back({1, at, {}});
        return;
    }
    Run<K>& last = runs.back();
    std::array<Index, K> step;
    for (int k = 0; k < K; ++k) step[k] = at[k] - last.base[k] - (last.count - 1) * last.step[k];
    if (last.count == 1) last.step = step;
    if (last.step == step)
        ++last.count;
    else
        runs.push_back({1, at, {}});
    if (runs.back().count == 1) runs.back().step = {};
}

template <int K, class List, class Places>
Product<K> listed(const List& list, const Places& placesOf) {
    Product<K> product{{}, {{}}};
    for (const auto& element : list) append<K>(product.dims[0], placesOf(element));
    return simplified(product);
}

/// The indexed element of an x: the coordinates of its holders and its offset there.
class Target {
public:
    Target(const Descriptor& indexed, const Subscripts& subscripts)
        : indexed_(indexed), subscripts_(subscripts), coordinates(indexed.rank) {}

    /// False, and `bad`, for a subscript outside.
    template <class OffsetIn>
    bool find(Index order, const OffsetIn& offsetIn, std::optional<BadSubscript>& bad) {
        offset = 0;
        for (int r = 0; r < indexed_.rank; ++r) {
            const Range& x = indexed_[r].range;
            const Index n = subscripts_.at(r, offsetIn(r));
            if (n < 0 || n >= x.size()) {
                if (!bad || order < bad->order) bad = BadSubscript{order, n, r};
                return false;
            }
            const Location at = x.location(n);
            coordinates[r] = isCollapsed(x) ? 0 : at.crd;
            offset += indexed_[r].stride * at.sub;
        }
        return true;
    }

private:
    const Descriptor& indexed_;
    const Subscripts& subscripts_;

public:
    std::vector<int> coordinates;
    Index offset = 0;
};

/// Calls take(order, offset of the walked element, target) for the x that a process holds.
template <class Take>
void forEachTarget(const Descriptor& walked, const Descriptor& indexed,
                   const Subscripts& subscripts, int process, std::optional<BadSubscript>& bad,
                   const Take& take) {
    if (position(walked.group, process) < 0) return;
    Target target(indexed, subscripts);
    const Walk elements = memory(walked), order = rowMajorIndex(walked);
    // Places: the walked element, x's position, and one array at a time besides.
    std::vector<Product<3>> walks;
    const auto addWalk = [&](const Descriptor& array) {
        walks.push_back(localElements<3>(walked, process, {elements, order, memory(array)}));
    };
    for (const Descriptor& layout : subscripts.layouts) addWalk(layout);
    if (subscripts.mask) addWalk(*subscripts.mask);

    std::vector<std::vector<Index>> offsets(walks.size());
    std::vector<std::array<Index, 2>> places;
    for (std::size_t k = 0; k < walks.size(); ++k)
        forEachRow(walks[k], [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t) {
                offsets[k].push_back(start[2] + t * step[2]);
                if (k == 0) places.push_back({start[0] + t * step[0], start[1] + t * step[1]});
            }
        });
    for (std::size_t e = 0; e < places.size(); ++e) {
        if (subscripts.mask && !subscripts.isTaken(offsets.back()[e])) continue;
        const auto [mine, at] = places[e];
        if (target.find(
                at, [&](int r) { return offsets[r][e]; }, bad))
            take(at, mine, target);
    }
}

void sortByOrder(Accesses& accesses) {
    for (auto& [process, list] : accesses)
        std::sort(list.begin(), list.end(),
                  [](const Access& a, const Access& b) { return a.order < b.order; });
}

}  // namespace

Request gatherRequest(const Descriptor& to, const Descriptor& from, const Subscripts& subscripts,
                      int process) {
    Request request;
    const Layout layout(from);
    std::map<std::vector<int>, int> holders;
    forEachTarget(to, from, subscripts, process, request.bad,
                  [&](Index order, Index mine, const Target& target) {
                      const auto [holder, isNew] = holders.try_emplace(target.coordinates, 0);
                      if (isNew) holder->second = layout.nearest(target.coordinates, process);
                      request.accesses[holder->second].push_back({mine, target.offset, order});
                  });
    sortByOrder(request.accesses);
    return request;
}

Request scatterRequest(const Descriptor& to, const Descriptor& from, const Subscripts& subscripts,
                       int process) {
    Request request;
    const Layout layout(to), source(from);
    std::map<std::vector<int>, std::vector<int>> takers;
    forEachTarget(from, to, subscripts, process, request.bad,
                  [&](Index order, Index mine, const Target& target) {
                      const auto [found, isNew] = takers.try_emplace(target.coordinates);
                      if (isNew)
                          found->second = layout.servedBy(process, source, target.coordinates);
                      for (const int taker : found->second)
                          request.accesses[taker].push_back({mine, target.offset, order});
                  });
    sortByOrder(request.accesses);
    return request;
}

std::map<int, std::vector<Index>> placesOf(const Accesses& wanted) {
    std::map<int, std::vector<Index>> places;
    for (const auto& [peer, list] : wanted)
        for (const Access& access : list) places[peer].push_back(access.theirs);
    return places;
}

std::map<int, std::vector<Arrival>> arrivalsOf(const Accesses& given) {
    std::map<int, std::vector<Arrival>> arrivals;
    for (const auto& [peer, list] : given)
        for (const Access& access : list) arrivals[peer].push_back({access.theirs, access.order});
    return arrivals;
}

Plan gatherPlan(int process, const Accesses& wanted,
                const std::map<int, std::vector<Index>>& served) {
    Plan plan;
    const auto mine = [](const Access& access) { return std::array{access.mine}; };
    for (const auto& [peer, list] : wanted) {
        if (peer != process)
            plan.receives.push_back({peer, {listed<1>(list, mine)}});
        else
            plan.copies.push_back(listed<2>(list, [](const Access& access) {
                return std::array{access.mine, access.theirs};
            }));
    }
    for (const auto& [peer, list] : served)
        if (peer != process)
            plan.sends.push_back(
                {peer, {listed<1>(list, [](Index at) { return std::array{at}; })}});
    return plan;
}

ScatterPlan scatterPlan(int process, const Accesses& given,
                        const std::map<int, std::vector<Arrival>>& arrivals) {
    ScatterPlan scatter;
    const auto mine = [](const Access& access) { return std::array{access.mine}; };
    for (const auto& [peer, list] : given)
        if (peer != process) scatter.plan.sends.push_back({peer, {listed<1>(list, mine)}});

    std::vector<std::pair<Index, ScatterPlan::Store>> stores;  // with x's position
    for (const auto& [peer, list] : arrivals) {
        const Index start = scatter.staged;
        for (const Arrival& arrival : list)
            stores.push_back({arrival.order, {arrival.to, scatter.staged++}});
        if (peer != process) {
            const auto count = static_cast<Index>(list.size());
            scatter.plan.receives.push_back(
                {peer, {simplified(Region{{start}, {{{count, {0}, {1}}}}})}});
            continue;
        }
        Index at = start;
        scatter.plan.copies.push_back(listed<2>(given.at(process), [&](const Access& access) {
            return std::array{at++, access.mine};
        }));
    }
    std::sort(stores.begin(), stores.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [order, store] : stores) scatter.stores.push_back(store);
    return scatter;
}

}  // namespace hpspmd::detail::plan
