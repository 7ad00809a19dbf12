// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/indirect_cost.hpp>
#include <hpspmd/active.hpp>
#include <stdexcept>

#include "cost/indirect_price.hpp"
#include "cost/pattern.hpp"
#include "plan/local_elements.hpp"

namespace hpspmd::detail::cost {
namespace {

/// The subscripts of one process, as an array of them would give them.
class Subscripted {
public:
    Subscripted(const Adlib::IndirectAccess& access, const Descriptor& walked, int process)
        : access_(access), x_(access.walked.size()) {
        const auto places = plan::localElements<2>(
            walked, process, {plan::memory(walked), plan::rowMajorIndex(walked)});
        plan::forEachRow(places, [&](const auto& start, Index count, const auto& step) {
            for (Index t = 0; t < count; ++t)
                orders_[start[0] + t * step[0]] = start[1] + t * step[1];
        });
        subscripts.layouts.assign(access.indexed.size(), walked);
        subscripts.at = [this](int r, Index offset) { return at(r, offset); };
    }
    Subscripted(const Subscripted&) = delete;
    Subscripted& operator=(const Subscripted&) = delete;

    plan::Subscripts subscripts;

private:
    Index at(int r, Index offset) {
        Index order = orders_.at(offset);
        for (std::size_t k = x_.size(); k-- > 0; order /= access_.walked[k].size())
            x_[k] = order % access_.walked[k].size();
        return access_.subscript(x_, r);
    }

    const Adlib::IndirectAccess& access_;
    std::vector<Index> x_;
    std::map<Index, Index> orders_;  // by offset in memory
};

plan::Accesses accessesOf(Indirect kind, const Adlib::IndirectAccess& access, int process) {
    const Layouts walked(access.group, access.walked), indexed(access.group, access.indexed);
    const Descriptor over = walked.descriptor(), other = indexed.descriptor();
    const Subscripted mine(access, over, process);
    plan::Request request = kind == Indirect::Gather
                                ? plan::gatherRequest(over, other, mine.subscripts, process)
                                : plan::scatterRequest(other, over, mine.subscripts, process);
    if (request.bad)
        throw std::invalid_argument("subscript " + std::to_string(request.bad->value) +
                                    " for dimension " + std::to_string(request.bad->dimension) +
                                    " lies outside");
    return std::move(request.accesses);
}

Adlib::Cost indirectCost(Indirect kind, const Adlib::IndirectAccess& access,
                         std::size_t elementSize, const Adlib::Machine& machine) {
    std::vector<Requests> requests(static_cast<std::size_t>(apg().size()));
    for (std::size_t p = 0; p < requests.size(); ++p) {
        requests[p].wanted = accessesOf(kind, access, static_cast<int>(p));
        for (const auto& [peer, list] : requests[p].wanted)
            requests[static_cast<std::size_t>(peer)].asked[static_cast<int>(p)] = list;
    }
    Adlib::Cost cost =
        IndirectPrice(kind, requests, static_cast<double>(elementSize), machine).cost();
    for (const auto* ranges : {&access.walked, &access.indexed})
        cost.descriptorBytes += descriptorBytes(Layouts(access.group, *ranges).descriptor());
    return cost;
}

/// At the places 0, 1, 3, 6, .., of which no three lie at equal distances.
std::vector<plan::Access> irregularAccesses(Index count) {
    std::vector<plan::Access> list;
    for (Index k = 0; k < count; ++k) list.push_back({k * (k + 1) / 2, k * (k + 1) / 2, k});
    return list;
}

Adlib::Cost indirectCost(Indirect kind, const Adlib::Pattern& pattern, std::size_t elementSize,
                         const Adlib::Machine& machine) {
    std::vector<Requests> alike(1);
    for (const int distance : distancesOf(pattern)) {
        alike[0].wanted[distance] = irregularAccesses(pattern.elements);
        alike[0].asked[apg().size() - distance] = alike[0].wanted[distance];
    }
    return IndirectPrice(kind, alike, static_cast<double>(elementSize), machine).cost();
}

}  // namespace
}  // namespace hpspmd::detail::cost

namespace hpspmd::Adlib {

using detail::cost::Indirect;
using detail::cost::indirectCost;

Cost gatherCost(const IndirectAccess& access, std::size_t elementSize, const Machine& machine) {
    return indirectCost(Indirect::Gather, access, elementSize, machine);
}
Cost gatherCost(const Pattern& pattern, std::size_t elementSize, const Machine& machine) {
    return indirectCost(Indirect::Gather, pattern, elementSize, machine);
}
Cost scatterCost(const IndirectAccess& access, std::size_t elementSize, const Machine& machine) {
    return indirectCost(Indirect::Scatter, access, elementSize, machine);
}
Cost scatterCost(const Pattern& pattern, std::size_t elementSize, const Machine& machine) {
    return indirectCost(Indirect::Scatter, pattern, elementSize, machine);
}

}  // namespace hpspmd::Adlib
