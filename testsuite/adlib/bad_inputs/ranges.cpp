// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranges and their extents, subranges, and arrays that are too large.

#include <limits>

#include "bad_inputs.hpp"

namespace hpspmd::test {
namespace {

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

using MakeRange = std::function<Range(Index n, const Dimension& d)>;

struct Kind {
    std::string name;
    MakeRange make;
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"BlockRange", [](Index n, const Dimension& d) { return BlockRange(n, d); }},
        {"ExtBlockRange", [](Index n, const Dimension& d) { return ExtBlockRange(n, d, 1, 1); }},
        {"CyclicRange", [](Index n, const Dimension& d) { return CyclicRange(n, d); }},
        {"BlockCyclicRange", [](Index n, const Dimension& d) { return BlockCyclicRange(n, d, 3); }},
        {"CollapsedRange", [](Index n, const Dimension&) { return CollapsedRange(n); }},
    };
    return all;
}

void addExtents(BadInputs& cases) {
    for (const Kind& kind : kinds()) {
        for (const Index n : {Index(-1), Index(-1000), least})
            cases.push_back({kind.name + "_" + std::to_string(n), "BadExtent",
                             [=] { kind.make(n, Procs1().dim(0)); }});
        cases.push_back({kind.name + "_null_dimension", "NullArray", [=] {
                             if (kind.name == "CollapsedRange") static_cast<void>(Range().size());
                             kind.make(8, Dimension());
                         }});
    }
    for (const Index width : {Index(-1), least}) {
        const std::string name = std::to_string(width);
        cases.push_back({"ghosts_below_" + name, "BadExtent",
                         [=] { ExtBlockRange(8, Procs1().dim(0), width, 1); }});
        cases.push_back({"ghosts_above_" + name, "BadExtent",
                         [=] { ExtBlockRange(8, Procs1().dim(0), 1, width); }});
    }
    for (const Index b : {Index(0), Index(-1), least})
        cases.push_back({"block_of_" + std::to_string(b), "BadExtent",
                         [=] { BlockCyclicRange(8, Procs1().dim(0), b); }});
    cases.push_back({"irregular_without_sizes", "BadExtent",
                     [] { IrregRange(std::vector<Index>{}, Procs1().dim(0)); }});
    cases.push_back({"irregular_with_too_many_sizes", "BadExtent",
                     [] { IrregRange(std::vector<Index>(1000, 1), Procs1().dim(0)); }});
    for (const Index size : {Index(-1), least}) {
        cases.push_back({"irregular_size_" + std::to_string(size), "BadExtent", [=] {
                             const Dimension d = Procs1().dim(0);
                             std::vector<Index> sizes(static_cast<std::size_t>(d.size()), 4);
                             sizes.back() = size;
                             IrregRange(sizes, d);
                         }});
    }
    cases.push_back({"irregular_sizes_overflow", "BadExtent",
                     [] {
                         const Dimension d = Procs1().dim(0);
                         IrregRange(std::vector<Index>(static_cast<std::size_t>(d.size()), most),
                                    d);
                     },
                     2});
}

// Of x[[l : u : s]], x of extent 8.
struct BadTriplet {
    Index low, high, step;
};

const std::vector<BadTriplet>& badTriplets() {
    static const std::vector<BadTriplet> all = {
        {0, 8, 1},     {-1, 3, 1},     {0, 7, 0},        {7, -1, -1},      {8, 0, -1},
        {0, 9, 3},     {least, 0, 1},  {0, most, 1},     {least, most, 1}, {-3, 9, 2},
        {most, 0, -1}, {100, 200, 10}, {-200, -100, 10}, {0, most, most}};
    return all;
}

std::string nameOf(const BadTriplet& t) {
    return std::to_string(t.low) + "_" + std::to_string(t.high) + "_" + std::to_string(t.step);
}

void addTriplets(BadInputs& cases) {
    for (const BadTriplet& t : badTriplets()) {
        const Triplet triplet(t.low, t.high, t.step);
        cases.push_back({"subrange_" + nameOf(t), "OutOfBounds",
                         [=] { BlockRange(8, Procs1().dim(0)).subrange(triplet); }});
        cases.push_back({"overall_" + nameOf(t), "OutOfBounds", [=] {
                             const Procs1 p;
                             const BlockRange x(8, p.dim(0));
                             if (On active{p})
                                 for (const auto i : overall(x, t.low, t.high, t.step))
                                     static_cast<void>(i);
                         }});
        cases.push_back(
            {"section_" + nameOf(t), "OutOfBounds", [=] { section(plate(), triplet, Triplet()); }});
        cases.push_back({"local_block_" + nameOf(t), "OutOfBounds",
                         [=] { BlockRange(8, Procs1().dim(0)).localBlocks(triplet); }});
    }
}

void addSizes(BadInputs& cases) {
    for (const int bits : {40, 50, 58, 61}) {
        const Index n = Index(1) << bits;
        cases.push_back(
            {"array_of_2_to_" + std::to_string(bits), bits < 61 ? "OutOfMemory" : "BadExtent", [=] {
                 const auto a = create<double>(Procs1(), n);
                 for (Index k = 0; k < n; k += 512) a[k] = 1;
             }});
    }
    cases.push_back({"array_of_an_overflow", "BadExtent",
                     [] { create<double>(Procs1(), Index(1) << 40, Index(1) << 40); }});
    cases.push_back(
        {"array_of_negative_extent", "BadExtent", [] { create<double>(Procs1(), -1); }});
}

}  // namespace

void addRanges(BadInputs& cases) {
    addExtents(cases);
    addTriplets(cases);
    addSizes(cases);
}

}  // namespace hpspmd::test
