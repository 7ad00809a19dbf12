// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The stamps of ghost cells against a model with a byte for each member of each cell: random
/// writes, fills and reads. What is told to be stale is stale; what is stale is told; what counts
/// as filled has not been written, not even perhaps.

#include "pretend.hpp"

#include <random>

namespace hpspmd::test {
namespace {

using detail::everywhere;
using detail::IndexSpan;
using detail::Nest;

struct Element {
    int u, v;
};

constexpr Index extent = 9, first = 3, last = 5, depth = 3;  // what this process holds
constexpr Index ghosts = 2;

/// Indices of one dimension.
struct Chosen {
    Index from, to, step;

    bool contains(Index k) const { return from <= k && k <= to && (k - from) % step == 0; }
};

/// One side of one dimension: the cell at a distance beyond the block, beside element `beside` of
/// the other dimension.
struct Cells {
    enum State : char { Fresh, Perhaps, Hidden, Stale };      // Hidden: need not be told
    State of[2][2][ghosts][last - first + 1][depth][2] = {};  // dimension, side, .., member

    template <class Change>
    void each(const Change& change) {
        for (int r = 0; r < 2; ++r)
            for (int side = 0; side < 2; ++side)
                for (Index d = 0; d < ghosts; ++d)
                    for (Index k = 0; k <= last - first; ++k)
                        for (Index z = 0; z < depth; ++z)
                            for (int m = 0; m < 2; ++m) {
                                const Index beyond = side == 0 ? first - 1 - d : last + 1 + d;
                                const Index x = r == 0 ? beyond : first + k;
                                const Index y = r == 0 ? first + k : beyond;
                                change(r, side, d, x, y, z, m, of[r][side][d][k][z][m]);
                            }
    }
};

class Model : public ::testing::Test {
protected:
    Pretend world{9, 4};  // in the middle of the grid
    Procs2 p{3, 3};
    detail::Activate in{p};
    ExtBlockRange x{extent, p.dim(0), ghosts, ghosts};
    ExtBlockRange y{extent, p.dim(1), ghosts, ghosts};
    Array<Element, Dist, Dist, Seq> a = create<Element>(p, x, y, depth);
    Cells cells;
    int parts = 0;  // since all was written or filled
    std::mt19937 engine;

    Index random(Index low, Index high) {
        return std::uniform_int_distribution<Index>(low, high)(engine);
    }
    Chosen randomOf(Index low, Index high) {
        const Index from = random(low, high);
        return {from, random(from, high), random(0, 2) > 0 ? 1 : random(1, 3)};
    }

    void writeAll() {
        const Nest nest(a);
        cells.each(
            [](auto, auto, auto, auto, auto, auto, auto, Cells::State& s) { s = Cells::Stale; });
        parts = 0;
    }
    void writePerhaps() {
        const Nest nest(detail::perhaps(a));
        cells.each([](auto, auto, auto, auto, auto, auto, auto, Cells::State& s) {
            s = std::max(s, Cells::Perhaps);
        });
    }
    detail::IndexSet bytesOf(int member) const {
        if (member == 0) return detail::bytes(a, [](auto& e) -> decltype(&e.u) { return &e.u; });
        if (member == 1) return detail::bytes(a, [](auto& e) -> decltype(&e.v) { return &e.v; });
        return {};
    }
    void writePart() {
        const Chosen cx = randomOf(0, extent - 1), cy = randomOf(0, extent - 1);
        const bool isPlane = random(0, 1) == 0, isKnown = random(0, 4) > 0;
        const Index plane = random(0, depth - 1);
        const int member = static_cast<int>(random(0, 2));  // 2: both
        const IndexSpan inX =
            isKnown ? detail::span(x, cx.from, cx.to, cx.step) : detail::somewhere;
        const Nest nest(detail::part(a,
                                     {inX, detail::span(y, cy.from, cy.to, cy.step),
                                      isPlane ? detail::only(plane) : everywhere},
                                     bytesOf(member)));
        cells.each([&](auto, auto, auto, Index kx, Index ky, Index z, int m, Cells::State& s) {
            const bool isIn = (!isKnown || cx.contains(kx)) && cy.contains(ky) &&
                              (!isPlane || z == plane) && (member == 2 || member == m);
            if (isIn) s = std::max(s, isKnown ? Cells::Stale : Cells::Perhaps);
        });
        ++parts;
    }
    void writeSection() {
        const Chosen cx = randomOf(0, extent - 1);
        const Index plane = random(0, depth - 1);
        detail::markWritten(
            section(a, Triplet(cx.from, cx.to, cx.step), Triplet(), plane).descriptor());
        cells.each([&](auto, auto, auto, Index kx, Index, Index z, int, Cells::State& s) {
            if (cx.contains(kx) && z == plane) s = std::max(s, Cells::Hidden);
        });
        ++parts;
    }
    void fill() {
        const int r = static_cast<int>(random(0, 1));
        const Index low = random(0, ghosts), high = random(0, ghosts);
        a.ghosts()->fill(a.descriptor()[r], r, low, high);
        cells.each([&](int of, int side, Index d, auto, auto, auto, auto, Cells::State& s) {
            if (of == r && d < (side == 0 ? low : high)) s = Cells::Fresh;
        });
    }
    void fillEverything() {
        for (int r = 0; r < 3; ++r) a.ghosts()->fill(a.descriptor()[r], r, ghosts, ghosts);
        cells = {};
        parts = 0;
    }

    /// The read reaches the cell that is farthest: it starts at the edge of the block.
    void read(const Cells& known) {
        const int r = static_cast<int>(random(0, 1)), side = static_cast<int>(random(0, 1));
        const Index distance = random(1, ghosts), step = random(1, 2);
        const Chosen beside = randomOf(first, last);
        const int member = static_cast<int>(random(0, 2));
        const bool isPlane = random(0, 1) == 0;
        const Index plane = random(0, depth - 1);
        const Index stop = random(first, last);
        const Triplet along = side == 0 ? Triplet(first, stop, step) : Triplet(last, stop, -step);
        const Triplet across(beside.from, beside.to, beside.step);
        const Index low = side == 0 ? -distance : 0, high = side == 0 ? 0 : distance;
        const detail::OverSome inX =
            r == 0 ? detail::over(x, along, low, high) : detail::over(x, across);
        const detail::OverSome inY =
            r == 0 ? detail::over(y, across) : detail::over(y, along, low, high);
        const bool isFresh = detail::isFresh(
            detail::ReadPart<decltype(a)>{a, detail::ReadSet::all(bytesOf(member))},
            {inX, inY, isPlane ? detail::within(plane) : detail::within(0, depth - 1)});
        Cells::State worst = Cells::Fresh;
        Cells(known).each(
            [&](int of, int at, Index d, Index kx, Index ky, Index z, int m, Cells::State& s) {
                const Index own = (of == 0 ? kx : ky) + (side == 0 ? distance : -distance);
                const Index behind = side == 0 ? own - first : last - own;
                const bool runs =
                    behind >= 0 && behind % step == 0 && (side == 0 ? own <= stop : own >= stop);
                const bool isRead = of == r && at == side && d < distance && runs &&
                                    beside.contains(of == 0 ? ky : kx) &&
                                    (!isPlane || z == plane) && (member == 2 || m == member);
                if (isRead) worst = std::max(worst, s);
            });
        EXPECT_TRUE(isFresh || worst >= Cells::Hidden) << "told of a read of fresh cells";
        EXPECT_FALSE(isFresh && worst == Cells::Stale && parts <= 8)
            << "a stale cell is not told of";
    }
    void ask() {
        const int r = static_cast<int>(random(0, 1));
        const Index low = random(0, ghosts), high = random(0, ghosts);
        if (!a.ghosts()->areFilled(a.descriptor()[r], r, low, high)) return;
        cells.each([&](int of, int side, Index d, auto, auto, auto, auto, Cells::State& s) {
            const bool isAsked = of == r && d < (side == 0 ? low : high);
            EXPECT_TRUE(!isAsked || s == Cells::Fresh);
        });
    }
    void readInside() {
        const Cells before = cells;
        const Nest nest(a);
        writePart();
        read(before);
        cells.each(
            [](auto, auto, auto, auto, auto, auto, auto, Cells::State& s) { s = Cells::Stale; });
        parts = 0;
    }
    void takeCopy() { a = clone(a); }

    void step() {
        switch (random(0, 11)) {
        case 0:
            return writeAll();
        case 1:
            return writePerhaps();
        case 2:
        case 3:
        case 4:
            return writePart();
        case 5:
            return writeSection();
        case 6:
        case 7:
            return fill();
        case 8:
            return fillEverything();
        case 9:
            return ask();
        case 10:
            return readInside();
        default:
            return takeCopy();
        }
    }
};

TEST_F(Model, TheStampsTellWhatIsStale) {
    for (unsigned seed = 0; seed < 2000 && !HasFailure(); ++seed) {
        engine.seed(seed);
        SCOPED_TRACE("seed " + std::to_string(seed));
        fillEverything();
        for (int k = 0; k < 14 && !HasFailure(); ++k) {
            SCOPED_TRACE("step " + std::to_string(k));
            step();
            for (int reads = 0; reads < 3; ++reads) read(cells);
        }
    }
}

}  // namespace
}  // namespace hpspmd::test
