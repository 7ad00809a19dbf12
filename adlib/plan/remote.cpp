// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/remote.hpp"

#include <algorithm>

#include "plan/layout.hpp"
#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {
namespace {

/// The elements of one dimension on one coordinate.
struct Option {
    int coordinate;
    Runs<2> runs;
};

std::vector<Option> optionsOf(const Map& local, const Map& section) {
    const auto pairing = moved(local.range, section.range, {{0, section.range.size() - 1, 0}});
    std::vector<Option> options;
    for (const int coordinate : pairing->sources(0))
        for (const Link& link : pairing->links(0, coordinate)) {
            Runs<2> runs = link.runs;
            for (Run<2>& run : runs) {
                run.base = {run.base[To] * local.stride, run.base[From] * section.stride};
                run.step = {run.step[To] * local.stride, run.step[From] * section.stride};
            }
            options.push_back({coordinate, std::move(runs)});
        }
    return options;
}

}  // namespace

std::vector<RemotePart> remoteParts(const Descriptor& local, const Descriptor& section,
                                    int process) {
    std::vector<std::vector<Option>> options;
    for (int r = 0; r < section.rank; ++r) {
        options.push_back(optionsOf(local[r], section[r]));
        if (options.back().empty()) return {};
    }
    const Layout layout(section);
    std::vector<RemotePart> parts;
    std::vector<std::size_t> choice(options.size(), 0);
    for (;;) {
        std::vector<int> coordinates;
        Product<2> elements;
        for (std::size_t r = 0; r < options.size(); ++r) {
            coordinates.push_back(options[r][choice[r]].coordinate);
            elements.dims.push_back(options[r][choice[r]].runs);
        }
        std::vector<int> holders = layout.holders(coordinates);
        const auto nearest =
            std::find(holders.begin(), holders.end(), layout.nearest(coordinates, process));
        std::iter_swap(holders.begin(), nearest);
        parts.push_back({std::move(holders), std::move(elements)});
        std::size_t r = options.size();
        while (r > 0 && ++choice[r - 1] == options[r - 1].size()) choice[--r] = 0;
        if (r == 0) return parts;
    }
}

Region placeOf(const Product<2>& elements, End place) {
    Region region{{elements.offset[place]}, {}};
    for (const Runs<2>& runs : elements.dims) {
        Runs<1>& list = region.dims.emplace_back();
        for (const Run<2>& run : runs)
            list.push_back({run.count, {run.base[place]}, {run.step[place]}});
    }
    return simplified(region);
}

Index rowsOf(const Region& region) {
    Index rows = 0;
    forEachRow(region, [&](const auto&, Index, const auto&) { ++rows; });
    return rows;
}

}  // namespace hpspmd::detail::plan
