// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/skew.hpp"

#include <map>

#include "plan/layout.hpp"
#include "plan/local_elements.hpp"
#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

constexpr int lineOfAmounts = 2;  // the third place of a line, after To and From

/// Some lines along d, neighbours in a row of the other dimensions, with one amount.
struct Lines {
    Run<3> run;
    Index amount;
};

std::vector<Map> without(const Descriptor& array, int d) {
    std::vector<Map> maps(array.begin(), array.end());
    maps.erase(maps.begin() + d);
    return maps;
}

class Skew {
public:
    Skew(const Descriptor& to, const Descriptor& from, int d, bool cyclic, int process)
        : to_(to), from_(from), layout_(to), d_(d), cyclic_(cyclic), process_(process) {
        for (int r = 0; r < to.rank; ++r) coordinates_.push_back(layout_.coordinate(r, process));
    }

    Plan plan(const Amounts& amounts) {
        for (const Lines& lines : linesOf(amounts)) {
            const Pairing& pairing = pairingBy(lines.amount);
            const int own = coordinates_[d_];
            for (const int source : pairing.sources(own))
                for (const Link& link : pairing.links(own, source)) take(lines, link, source);
            for (const int destination : pairing.destinations(own))
                if (destination != own)
                    for (const Link& link : pairing.links(destination, own))
                        sends_[processAt(destination)].push_back(region(lines, link, From));
        }
        return {messages(sends_), messages(receives_), std::move(copies_)};
    }

private:
    using ByPeer = std::map<int, std::vector<Region>>;

    std::vector<Lines> linesOf(const Amounts& amounts) const {
        const std::vector<Map> to = without(to_, d_), from = without(from_, d_);
        const int rank = to_.rank - 1;
        const Descriptor others{to_.group, to.data(), rank};
        const Product<3> all = localElements<3>(
            others, process_,
            {memory(others), memory({from_.group, from.data(), rank}), memory(amounts.layout)});
        std::vector<Lines> result;
        forEachRow(all, [&](const auto& start, Index count, const auto& step) {
            for (Index first = 0, last = 0; first < count; first = last) {
                const auto amountAt = [&](Index t) {
                    return amounts.at(start[lineOfAmounts] + t * step[lineOfAmounts]);
                };
                const Index amount = amountAt(first);
                for (last = first + 1; last < count && amountAt(last) == amount;) ++last;
                Run<3> run{last - first, start, step};
                for (int k = 0; k < 3; ++k) run.base[k] += first * step[k];
                result.push_back({run, amount});
            }
        });
        return result;
    }

    const Pairing& pairingBy(Index amount) {
        std::unique_ptr<Pairing>& pairing = pairings_[amount];
        if (!pairing) pairing = shifted(to_[d_].range, from_[d_].range, amount, cyclic_);
        return *pairing;
    }

    void take(const Lines& lines, const Link& link, int source) {
        if (source != coordinates_[d_]) {
            receives_[processAt(source)].push_back(region(lines, link, To));
            return;
        }
        Product<2> copy{
            {}, {{{lines.run.count, first<2>(lines.run.base), first<2>(lines.run.step)}}, {}}};
        for (Run<2> run : link.runs) {
            for (const End place : {To, From}) {
                run.base[place] *= stride(place);
                run.step[place] *= stride(place);
            }
            copy.dims[1].push_back(run);
        }
        copies_.push_back(simplified(copy));
    }

    Region region(const Lines& lines, const Link& link, End place) const {
        Region region{{},
                      {{{lines.run.count, {lines.run.base[place]}, {lines.run.step[place]}}}, {}}};
        for (const Run<2>& run : link.runs)
            region.dims[1].push_back(
                {run.count, {run.base[place] * stride(place)}, {run.step[place] * stride(place)}});
        return simplified(region);
    }

    template <std::size_t K>
    static std::array<Index, K> first(const std::array<Index, 3>& places) {
        std::array<Index, K> result;
        for (std::size_t k = 0; k < K; ++k) result[k] = places[k];
        return result;
    }

    Index stride(End place) const { return (place == To ? to_ : from_)[d_].stride; }

    /// The process with another coordinate along d, and all others as here.
    int processAt(int coordinate) const {
        std::vector<int> coordinates = coordinates_;
        coordinates[d_] = coordinate;
        return layout_.nearest(coordinates, process_);
    }

    static std::vector<Message> messages(ByPeer& byPeer) {
        std::vector<Message> result;
        for (auto& [peer, regions] : byPeer) result.push_back({peer, std::move(regions)});
        return result;
    }

    const Descriptor &to_, &from_;
    Layout layout_;
    int d_;
    bool cyclic_;
    int process_;
    std::vector<int> coordinates_;
    std::map<Index, std::unique_ptr<Pairing>> pairings_;
    ByPeer sends_, receives_;
    std::vector<Copy> copies_;
};

}  // namespace

Plan skew(const Descriptor& to, const Descriptor& from, const Amounts& amounts, int d, bool cyclic,
          int process) {
    if (position(to.group, process) < 0) return {};
    return Skew(to, from, d, cyclic, process).plan(amounts);
}

}  // namespace hpspmd::detail::plan
