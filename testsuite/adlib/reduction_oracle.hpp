// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What reductions must give: values made from the global indices, and a sequential loop over them.

#include <adlib/located.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "typed.hpp"

namespace hpspmd::test {

/// Element values as functions of the global indices.
struct Values {
    std::uint64_t seed;
    Indices shape;

    std::uint64_t bits(const Indices& index, std::uint64_t salt) const {
        return Noise(seed * 1000003 + salt + static_cast<std::uint64_t>(valueOf(index, shape)))
            .next();
    }
    std::int64_t number(const Indices& index) const {
        return static_cast<std::int64_t>(bits(index, 1) % 21) - 10;
    }
    double real(const Indices& index) const {
        return static_cast<double>(bits(index, 2) % 2000001) / 1e3 - 1e3;
    }
    bool truth(const Indices& index) const { return bits(index, 3) % 8 != 0; }
    bool masked(const Indices& index) const { return bits(index, 4) % 3 != 0; }
};

/// What the results must be, from a sequential loop over the elements that `takes` selects.
struct Oracle {
    std::uint64_t sum = 0, product = 1, dot = 0;
    std::int64_t bits = 0;
    double realSum = 0, magnitude = 0;
    std::int64_t max = std::numeric_limits<std::int64_t>::lowest();
    std::int64_t min = std::numeric_limits<std::int64_t>::max();
    Indices maxAt, minAt;
    Index count = 0;
    bool any = false, all = true;

    /// Of the elements at the indices that `takes` selects.
    template <class Takes>
    Oracle(const Values& values, const Takes& takes)
        : maxAt(values.shape.size(), detail::nowhere), minAt(maxAt) {
        forEachIndex(values.shape, [&](const Indices& index) {
            if (takes(index)) take(values, index);
        });
    }

    void take(const Values& values, const Indices& index) {
        const std::int64_t number = values.number(index);
        const auto unsignedNumber = static_cast<std::uint64_t>(number);
        bits ^= number;
        sum += unsignedNumber;
        product *= unsignedNumber;
        dot += unsignedNumber * unsignedNumber;
        realSum += values.real(index);
        magnitude += std::abs(values.real(index));
        if (number > max) max = number, maxAt = index;
        if (number < min) min = number, minAt = index;
        any |= values.truth(index);
        all &= values.truth(index);
        count += values.truth(index);
    }
};

/// What maxlocDim and minlocDim give for a line whose extreme stands at these indices.
template <class Place>
Place placeAlong(const Indices& at, int d) {
    const Index place = at[static_cast<std::size_t>(d)];
    return place == detail::nowhere ? std::numeric_limits<Place>::max() : static_cast<Place>(place);
}

/// Runs the case of a rank from 0 to 3 on a random grid, sometimes with the grid as APG.
template <template <std::size_t> class Case>
void runOfAnyRank(Random& random) {
    const Group grid = randomGrid(random, apg().size());
    std::optional<detail::On> on;
    if (random.oneIn(3)) {  // not all processes
        on.emplace(grid);
        if (!*on) return;
    }
    switch (random.below(4)) {
    case 0:
        return Case<0>(random, grid).run();
    case 1:
        return Case<1>(random, grid).run();
    case 2:
        return Case<2>(random, grid).run();
    default:
        return Case<3>(random, grid).run();
    }
}

}  // namespace hpspmd::test
