// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whole ranges, divided views, assemble, refresh and Changes against sequential programs.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd>
#include <random>
#include <vector>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

using detail::Active;
using detail::On;

std::vector<Range> rangesOf(Index n, const Dimension& d) {
    std::vector<Index> sizes(static_cast<std::size_t>(d.size()), 0);
    for (Index k = 0; k < n; ++k) ++sizes[static_cast<std::size_t>(k * k % d.size())];
    return {BlockRange(n, d),          CyclicRange(n, d),    BlockCyclicRange(n, d, 2),
            ExtBlockRange(n, d, 1, 1), IrregRange(sizes, d), CollapsedRange(n)};
}

double valueAt(Index i, Index j) { return static_cast<double>(100 * i + j) + 0.5; }

/// use(i) for the own locations of x.
template <class Use>
void forEachOwn(const Range& x, const Use& use) {
    for (const Block block : x.localBlocks())
        for (Index k = 0; k < block.count; ++k) {
            EXPECT_EQ(block.localBase + block.localStep * k,
                      block.globalBase + block.globalStep * k);
            use(block.globalBase + block.globalStep * k);
        }
}

TEST(Whole, TheLocalSubscriptIsTheGlobalIndex) {
    const Procs1 p;
    for (const Index n : {0, 1, 5, 17}) {
        for (const Range& x : rangesOf(n, p.dim(0))) {
            const Range w = whole(x);
            EXPECT_EQ(w.size(), n);
            EXPECT_TRUE(whole(w) == w);
            EXPECT_TRUE(w == whole(x));
            EXPECT_TRUE(detail::isCollapsed(x) || w.record()->isWhole);
            for (Index i = 0; i < n; ++i) {
                EXPECT_EQ(w.location(i).crd, x.location(i).crd);
                EXPECT_EQ(w.location(i).sub, i);
            }
            Index own = 0;
            forEachOwn(w, [&](Index) { ++own; });
            EXPECT_EQ(own, detail::localCount(x));
        }
    }
    EXPECT_THROW(whole(BlockRange(5, p.dim(0)).subrange(0, 2)), BadExtent);
    EXPECT_FALSE(whole(BlockRange(5, p.dim(0))) == whole(CyclicRange(5, p.dim(0))));
}

/// Every pair of ranges; the array is g, its divided view part.
template <class Use>
void forEachView(Index rows, Index columns, const Use& use) {
    const Procs2 p;
    const On on(p);
    if (!on) return;
    for (const Range& x : rangesOf(rows, p.dim(0)))
        for (const Range& y : rangesOf(columns, p.dim(1))) {
            const Array<double, Seq, Seq> g = create<double>(p, rows, columns);
            use(g, divide(g, whole(x), whole(y)));
        }
}

TEST(Whole, AssembleTellsAll) {
    forEachView(7, 10, [](const auto& g, const Array<double, Dist, Dist>& part) {
        for (int round = 0; round < 2; ++round) {
            forEachOwn(part.rng(0), [&](Index i) {
                forEachOwn(part.rng(1), [&](Index j) {
                    part.data()[part.stride(0) * i + part.stride(1) * j] = valueAt(i, j) + round;
                });
            });
            if (round == 0)
                Adlib::assemble(part);
            else
                Adlib::Assemble(part).execute();
            for (Index i = 0; i < 7; ++i)
                for (Index j = 0; j < 10; ++j)
                    EXPECT_EQ(g.data()[g.stride(0) * i + g.stride(1) * j], valueAt(i, j) + round);
        }
    });
}

TEST(Whole, LongArraysOfOddElements) {
    struct Odd {
        char text[7];
    };
    const Procs1 p;
    const On on(p);
    for (const Index n : {3, 70000}) {
        std::vector<Odd> elements(static_cast<std::size_t>(n), Odd{"none"});
        for (const Range& x : rangesOf(n, p.dim(0))) {
            const auto part = divide(elements, whole(x));
            forEachOwn(part.rng(0), [&](Index i) {
                std::snprintf(elements[static_cast<std::size_t>(i)].text, 7, "%05d",
                              static_cast<int>(i));
            });
            Adlib::assemble(part);
            for (Index i = 0; i < n; ++i)
                EXPECT_EQ(std::atoi(elements[static_cast<std::size_t>(i)].text), i);
            std::fill(elements.begin(), elements.end(), Odd{"none"});
        }
    }
}

TEST(Whole, BackToSequentialSlots) {
    const Procs1 p;
    const On on(p);
    const Array<int, Seq> g = create<int>(p, 9);
    const Array<int, Dist> part = divide(g, whole(CyclicRange(9, p.dim(0))));
    const auto back = static_cast<Array<int, Seq>>(part);
    EXPECT_EQ(back.data(), g.data());
    EXPECT_EQ(back.size(0), 9);
    const Array<int, Dist> plain = create<int>(p, BlockRange(9, p.dim(0)));
    EXPECT_THROW((void)(static_cast<Array<int, Seq>>(plain)), RangeNotCollapsed);
}

/// Red-black relaxation on a whole array, sweep by sweep.
std::vector<double> relaxed(Index n, int sweeps) {
    std::vector<double> g(static_cast<std::size_t>(n * n));
    const auto at = [&](Index i, Index j) -> double& {
        return g[static_cast<std::size_t>(i * n + j)];
    };
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) at(i, j) = valueAt(i * i % 5, j);
    for (int half = 0; half < 2 * sweeps; ++half)
        for (Index i = 1; i < n - 1; ++i)
            for (Index j = 1 + (i + half) % 2; j < n - 1; j += 2)
                at(i, j) = 0.25 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
    return g;
}

TEST(Whole, RelaxationWithRefresh) {
    constexpr Index n = 11;
    constexpr int sweeps = 4;
    const std::vector<double> wanted = relaxed(n, sweeps);
    forEachView(n, n, [&](const auto& g, const Array<double, Dist, Dist>& part) {
        // An index of a range that is not distributed cannot be shifted.
        if (detail::isCollapsed(part.rng(0)) || detail::isCollapsed(part.rng(1))) return;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                g.data()[g.stride(0) * i + g.stride(1) * j] = valueAt(i * i % 5, j);
        const Range x = part.rng(0), y = part.rng(1);
        double* const e = part.data();
        const Index row = part.stride(0), column = part.stride(1);
        for (int half = 0; half < 2 * sweeps; ++half) {
            detail::refresh(part, {1, 1}, {1, 1});
            const detail::Nest nest(part);
            detail::check(part, "part",
                          {detail::over(x, Triplet(1, n - 2), -1, 1),
                           detail::over(y, Triplet(1, n - 2), -1, 1)});
            forEachOwn(x, [&](Index i) {
                forEachOwn(y, [&](Index j) {
                    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) return;
                    if ((i + half + j) % 2 == 0) return;
                    double* const at = e + row * i + column * j;
                    *at = 0.25 * (at[-row] + at[row] + at[-column] + at[column]);
                });
            });
        }
        Adlib::assemble(part);
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                EXPECT_EQ(g.data()[g.stride(0) * i + g.stride(1) * j],
                          wanted[static_cast<std::size_t>(i * n + j)]);
    });
}

template <class F>
bool isStale(const F& read) {
    try {
        read();
    } catch (const StaleGhosts&) {
        return true;
    }
    return false;
}

TEST(Whole, FreshCellsAreKnown) {
    const Procs1 p;
    const On on(p);
    const Array<int, Seq> g = create<int>(p, 12);
    const Array<int, Dist> part = divide(g, whole(BlockRange(12, p.dim(0))));
    const auto read = [&](Index low, Index high) {
        detail::check(part, "part", {detail::over(part.rng(0), Triplet(2, 9), low, high)});
    };
    const bool isSplit = p.dim(0).size() > 1;
    const auto write = [&] { const detail::Nest nest(part); };
    EXPECT_NO_THROW(read(-2, 2));  // all have the same
    write();
    const bool reads = isSplit && detail::localCount(part.rng(0)) > 0;
    EXPECT_EQ(isStale([&] { read(-2, 2); }), reads);
    detail::refresh(part, {1}, {0});
    EXPECT_NO_THROW(read(-1, 0));
    detail::refresh(part, {1}, {1});
    EXPECT_NO_THROW(read(-1, 1));
    write();
    Adlib::assemble(part);
    EXPECT_NO_THROW(read(-2, 2));
    EXPECT_THROW(read(-13, 0), ShiftTooWide);
}

TEST(Whole, ViewsOfOneContainerAreNotDisjoint) {
    const Procs1 p;
    const On active(p);
    std::vector<double> v(20), other(20);
    const Range x = whole(BlockRange(20, p.dim(0))), y = whole(BlockRange(19, p.dim(0)));
    const auto view = divide(v, x);
    EXPECT_FALSE(detail::disjoint(view, divide(v, x)));
    EXPECT_TRUE(detail::disjoint(view, divide(other, x)));
    struct Part {
        double* begin;
        double* data() const { return begin; }
        std::size_t size() const { return 19; }
    };
    Part behind{v.data() + 1}, before{v.data()};
    EXPECT_FALSE(detail::disjoint(divide(behind, y), divide(before, y)));
}

TEST(Whole, WhatCannotBeDivided) {
    const Procs1 p;
    const On on(p);
    const Array<int, Seq> g = create<int>(p, 12);
    EXPECT_THROW(divide(g, BlockRange(12, p.dim(0))), BadExtent);
    EXPECT_THROW(divide(g, whole(BlockRange(11, p.dim(0)))), BadExtent);
    EXPECT_THROW(divide(Array<int, Seq>(), whole(BlockRange(11, p.dim(0)))), NullArray);
    const Array<int, Dist> plain = create<int>(p, BlockRange(12, p.dim(0)));
    EXPECT_MESSAGE(Adlib::assemble(plain), "assemble: range 0, BlockRange(12, P=");
    const Active active(p.dim(0));
    EXPECT_THROW(divide(g, whole(BlockRange(12, p.dim(0)))), DimensionNotInGroup);
}

TEST(Whole, ChangesAreMerged) {
    const Procs1 p;
    const On on(p);
    const int rank = apg().rank(), processes = apg().size();
    for (const Index n : {1, 64, 65, 1000, 20000}) {
        std::vector<long> y(static_cast<std::size_t>(n)), wanted(y);
        Adlib::Changes changes(y);
        for (int round = 0; round < 3; ++round) {
            std::minstd_rand random(static_cast<unsigned>(n + round));
            for (int k = 0; k < 200; ++k) {
                const auto at = static_cast<std::size_t>(random() % static_cast<unsigned>(n));
                const long value = static_cast<long>(random() % 5);
                wanted[at] += value;
                if (static_cast<int>(at * 7 % static_cast<std::size_t>(processes)) == rank)
                    y[at] += value;
            }
            changes.merge();
            EXPECT_EQ(y, wanted);
        }
    }
}

TEST(Whole, ChangesOfMultiarrays) {
    const Procs1 p;
    const On on(p);
    const Array<double, Seq, Seq> y = create<double>(p, 9, 13);
    Adlib::Changes changes(y);
    changes.merge();
    for (Index i = 0; i < 9; ++i)
        if (i % apg().size() == apg().rank())
            for (Index j = 0; j < 13; j += 2) y.data()[y.stride(0) * i + j] = valueAt(i, j);
    changes.merge();
    for (Index i = 0; i < 9; ++i)
        for (Index j = 0; j < 13; ++j)
            EXPECT_EQ(y.data()[y.stride(0) * i + j], j % 2 == 0 ? valueAt(i, j) : 0);
}

void conflict(const Array<int, Seq, Seq>& y) {
    Adlib::Changes changes(y);
    y.data()[y.stride(0) * 3 + 4] = 1 + apg().rank() / 2;
    changes.merge();
}

TEST(Whole, ConflictsAreToldToAll) {
    const Procs1 p;
    const On on(p);
    const Array<int, Seq, Seq> y = create<int>(p, 9, 13);
    if (apg().size() == 1) return conflict(y);
    try {
        conflict(y);
        ADD_FAILURE() << "no conflict";
    } catch (const ConflictingWrites& error) {
        EXPECT_EQ(error.exitCode(), 83);
        const std::string text = error.what();
        EXPECT_NE(text.find("conflict: processes 0 and 1 both changed the element [3, 4]"),
                  std::string::npos)
            << text;
    }
}

TEST(Whole, WritingTheOldValueIsNoChange) {
    const Procs1 p;
    const On on(p);
    std::vector<int> y(100, 7);
    Adlib::Changes changes(y);
    y[5] = 7;
    if (apg().rank() == 0) y[5] = 8;
    changes.merge();
    EXPECT_EQ(y[5], 8);
}

}  // namespace
}  // namespace hpspmd::test
