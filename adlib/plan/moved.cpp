// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

/// Adds the coordinates of x that hold part of first..last to the list.
void addHolders(std::vector<int>& coordinates, const Range& x, Index first, Index last) {
    const Coordinates holders = x.crds(first, last);
    for (int k = 0; k < holders.size(); ++k) coordinates.push_back(holders[k]);
}

/// Lowest and highest global index.
std::pair<Index, Index> hull(const Block& block) {
    const Index last = block.globalBase + (block.count - 1) * block.globalStep;
    return std::minmax({block.globalBase, last});
}

void sortUnique(std::vector<int>& coordinates) {
    std::sort(coordinates.begin(), coordinates.end());
    coordinates.erase(std::unique(coordinates.begin(), coordinates.end()), coordinates.end());
}

class Moved final : public Pairing {
public:
    Moved(const Range& to, const Range& from, std::vector<Move> moves)
        : to_(to), from_(from), moves_(std::move(moves)) {}

    std::vector<int> sources(int to) const override {
        std::vector<int> result;
        for (const Move& move : moves_)
            for (const Block& block : blocksAt(to_, to, move.first, move.last)) {
                const auto [low, high] = hull(block);
                addHolders(result, from_, low + move.shift, high + move.shift);
            }
        sortUnique(result);
        return result;
    }

    std::vector<int> destinations(int from) const override {
        std::vector<int> result;
        for (const Move& move : moves_)
            for (const Block& block :
                 blocksAt(from_, from, move.first + move.shift, move.last + move.shift)) {
                const auto [low, high] = hull(block);
                addHolders(result, to_, low - move.shift, high - move.shift);
            }
        sortUnique(result);
        return result;
    }

    std::vector<Link> links(int to, int from) const override {
        Link link;
        for (const Move& move : moves_) {
            const Runs<2> runs = overlaps(
                blocksAt(to_, to, move.first, move.last),
                blocksAt(from_, from, move.first + move.shift, move.last + move.shift), move.shift);
            link.runs.insert(link.runs.end(), runs.begin(), runs.end());
        }
        if (link.runs.empty()) return {};
        return {link};
    }

private:
    Range to_, from_;
    std::vector<Move> moves_;
};

// An amount may be any Index: -amount and extent - amount are formed only of those below the
// extent.
std::vector<Move> edgeMoves(Index extent, Index amount) {
    if (amount >= extent || amount <= -extent) return {};
    const Index first = std::max<Index>(0, -amount);
    const Index last = std::min(extent, extent - amount) - 1;
    return {{first, last, amount}};
}

std::vector<Move> cyclicMoves(Index extent, Index amount) {
    if (extent == 0) return {};
    amount %= extent;
    if (amount < 0) amount += extent;
    return {{0, extent - 1 - amount, amount}, {extent - amount, extent - 1, amount - extent}};
}

}  // namespace

std::unique_ptr<Pairing> moved(const Range& to, const Range& from, std::vector<Move> moves) {
    return std::make_unique<Moved>(to, from, std::move(moves));
}

std::unique_ptr<Pairing> shifted(const Range& to, const Range& from, Index amount, bool cyclic) {
    const Index extent = to.size();
    return moved(to, from, cyclic ? cyclicMoves(extent, amount) : edgeMoves(extent, amount));
}

}  // namespace hpspmd::detail::plan
