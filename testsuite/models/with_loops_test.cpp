// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// genarray and modarray against sequential loops.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <hpspmd>
#include <set>
#include <vector>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

using detail::On;
using detail::overall;

std::vector<Range> rangesOf(Index n, const Dimension& d) {
    return {BlockRange(n, d),          CyclicRange(n, d),         BlockCyclicRange(n, d, 2),
            ExtBlockRange(n, d, 1, 1), ExtBlockRange(n, d, 2, 3), CollapsedRange(n)};
}

/// overall (i = x for t, j = y for u) f(i, j)
template <class F>
auto over(const Range& x, const Triplet& t, const Range& y, const Triplet& u, const F& f) {
    return overall(x, t, [=](const DistributedIndex& i) {
        return overall(y, u, [=](const DistributedIndex& j) { return f(i, j); });
    });
}

using Matrix = Array<const double, Dist, Dist>;

template <class F>
void expectElements(const Matrix& a, const F& wanted) {
    if (!a.isHeld()) return;
    for (const Block rows : a.rng(0).localBlocks())
        for (Index k = 0; k < rows.count; ++k)
            for (const Block columns : a.rng(1).localBlocks())
                for (Index l = 0; l < columns.count; ++l) {
                    const Index i = rows.globalBase + rows.globalStep * k;
                    const Index j = columns.globalBase + columns.globalStep * l;
                    const double* const at =
                        a.data() + a.stride(0) * (rows.localBase + rows.localStep * k) +
                        a.stride(1) * (columns.localBase + columns.localStep * l);
                    EXPECT_EQ(*at, wanted(i, j)) << i << ", " << j;
                }
}

template <class Use>
void forEachPair(Index rows, Index columns, const Use& use) {
    const Procs2 p;
    const On on(p);
    if (!on) return;
    for (const Range& x : rangesOf(rows, p.dim(0)))
        for (const Range& y : rangesOf(columns, p.dim(1))) use(x, y);
}

TEST(WithLoops, GenarrayOfSeveralGenerators) {
    forEachPair(9, 10, [](const Range& x, const Range& y) {
        for (int round = 0; round < 3; ++round) {  // in storage that has been in use, too
            const Matrix a = Adlib::genarray(
                over(x, Triplet(0, 0), y, Triplet(),
                     [](const auto&, const auto& j) { return 100.0 + double(j.global); }),
                over(x, Triplet(1, detail::none), y, Triplet(1, 8, 2),
                     [=](const auto& i, const auto& j) {
                         return int(10 * i.global + j.global) + round;
                     }),
                -1.5f);
            EXPECT_TRUE(detail::fits(a.rng(0), x) && detail::fits(a.rng(1), y));
            expectElements(a, [&](Index i, Index j) {
                if (i == 0) return 100.0 + double(j);
                return j % 2 == 1 && j <= 8 ? double(10 * i + j + round) : -1.5;
            });
        }
        const Matrix b = Adlib::genarray(
            over(x, Triplet(2, 3), y, Triplet(4, 4), [](const auto&, const auto&) { return 2.0; }));
        expectElements(b,
                       [](Index i, Index j) { return (i == 2 || i == 3) && j == 4 ? 2.0 : 0.0; });
    });
}

/// n x n, relaxed: every inner element becomes the mean of its neighbours.
std::vector<double> relaxed(Index n, int steps) {
    std::vector<double> a(static_cast<std::size_t>(n * n)), b;
    const auto at = [&](Index i, Index j) { return static_cast<std::size_t>(i * n + j); };
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) a[at(i, j)] = double(i * j % 7);
    for (; steps > 0; --steps) {
        b = a;
        for (Index i = 1; i < n - 1; ++i)
            for (Index j = 1; j < n - 1; ++j)
                b[at(i, j)] =
                    0.25 * (a[at(i - 1, j)] + a[at(i + 1, j)] + a[at(i, j - 1)] + a[at(i, j + 1)]);
        a = b;
    }
    return a;
}

TEST(WithLoops, ModarrayRelaxesWithoutAnyHalo) {
    constexpr Index n = 13;
    constexpr int steps = 5;
    const std::vector<double> wanted = relaxed(n, steps), start = relaxed(n, 0);
    const Procs2 p;
    const On on(p);
    if (!on) return;
    for (const Index width : {1, 2}) {
        const ExtBlockRange x(n, p.dim(0), width, 1), y(n, p.dim(1), 1, width);
        Matrix a =
            Adlib::genarray(over(x, Triplet(), y, Triplet(), [](const auto& i, const auto& j) {
                return double(i.global * j.global % 7);
            }));
        const Matrix first = a;
        for (int step = 0; step < steps; ++step)
            a = Adlib::modarray(
                a,
                over(x, Triplet(1, n - 2), y, Triplet(1, n - 2), [&](const auto& i, const auto& j) {
                    return 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
                }));
        expectElements(a, [&](Index i, Index j) { return wanted[std::size_t(i * n + j)]; });
        expectElements(first, [&](Index i, Index j) { return start[std::size_t(i * n + j)]; });
    }
}

TEST(WithLoops, StorageIsTakenInTurn) {
    const Procs1 p;
    const On on(p);
    const BlockRange x(64 * p.dim(0).size(), p.dim(0));
    using Vector = Array<const double, Dist>;
    Vector a = Adlib::genarray(
        overall(x, Triplet(), [](const DistributedIndex& i) { return double(i.global); }));
    std::set<const double*> places;
    for (int round = 1; round <= 10; ++round) {
        a = Adlib::modarray(
            a, overall(x, Triplet(), [&](const DistributedIndex& i) { return a(i) + 1; }));
        places.insert(a.data());
        EXPECT_EQ(a.data()[3], double(x.localBlock().globalBase + 3 + round));
    }
    EXPECT_EQ(places.size(), 2u);
    std::vector<Vector> all{a};
    for (int round = 1; round <= 5; ++round)
        all.push_back(Adlib::modarray(
            all.back(), overall(x, Triplet(0, 0), [&](const auto&) { return double(-round); })));
    for (int round = 1; round <= 5 && x.localBlock().globalBase == 0; ++round)
        EXPECT_EQ(all[static_cast<std::size_t>(round)].data()[0], double(-round));
}

TEST(WithLoops, ValuesAreComplete) {
    const Procs1 p;
    const On on(p);
    const ExtBlockRange x(4 * p.dim(0).size(), p.dim(0), 1, 1);
    const Array<const int, Dist> a = Adlib::genarray(
        overall(x, Triplet(), [](const DistributedIndex& i) { return int(i.global); }));
    const Block own = x.localBlock();
    for (const Index k : {Index(-1), own.count}) {
        const Index n = own.globalBase + k;
        const bool isInside = n >= 0 && n < x.size();
        EXPECT_EQ(a.data()[a.stride(0) * (own.localBase + k)], isInside ? int(n) : 0);
    }
    EXPECT_NO_THROW(detail::check(a, "a", {detail::over(x, -1, 1)}));
}

TEST(WithLoops, WhatIsNoWithLoop) {
    const Procs1 p;
    const On on(p);
    const BlockRange x(10, p.dim(0)), z(11, p.dim(0));
    const auto ones = [](const Range& range, const Triplet& t) {
        return overall(range, t, [](const DistributedIndex&) { return 1.0; });
    };
    EXPECT_MESSAGE(Adlib::genarray(ones(x, Triplet()), ones(z, Triplet())),
                   "genarray: in dimension 0 generator 2 runs over BlockRange(11");
    const auto a = Adlib::genarray(ones(x, Triplet()));
    EXPECT_MESSAGE(Adlib::modarray(a, ones(z, Triplet())),
                   "modarray: in dimension 0 generator 1 runs over BlockRange(11");
    EXPECT_THROW(Adlib::modarray(Array<double, Dist>(), ones(x, Triplet())), NullArray);
    if (detail::localCount(x) > 0 && x.localBlock().globalBase == 0) {
        EXPECT_MESSAGE(Adlib::genarray(ones(x, Triplet(0, 5, 5)), ones(x, Triplet(0, 0)), 0.0),
                       "genarray: generators 1 and 2 both give (0)");
        EXPECT_MESSAGE(Adlib::modarray(a, ones(x, Triplet(3, 4)), ones(x, Triplet(0, 1)),
                                       ones(x, Triplet(0, 0))),
                       "modarray: generators 2 and 3 both give (0)");
    }
}

/// What hpcc makes of a generator; here nothing is stored.
template <class E>
auto stored(const E& values) {
    return detail::withStores(values, [](const auto&) {});
}

/// A generator of rows first .. last, step, each element `value`, as hpcc writes it.
auto rowsOf(const Range& x, Index first, Index last, Index step, double value, bool fails = false) {
    const auto values = over(x, Triplet(first, last, step), x, Triplet(1, 4),
                             [=](const auto&, const auto&) { return value; });
    return detail::withStores(values, [=](const auto& made) {
        values.forEach([&](double each, const auto& i, const auto& j) {
            made.data()[made.stride(0) * i.sub + made.stride(1) * j.sub] = each;
            if (fails) throw AdlibError("of the generator", detail::Where::here());
        });
    });
}

/// What no generator gives is that of the argument, whatever the storage of the result was before.
TEST(WithLoops, OtherElementsAreThoseOfTheArgument) {
    constexpr Index n = 9;
    const Range x = CollapsedRange(n);
    const auto start = [&](double value) -> Matrix {
        return Adlib::genarray(
            over(x, Triplet(), x, Triplet(), [=](const auto&, const auto&) { return value; }));
    };
    std::vector<double> wanted(n * n, 1.0), others(n * n, 2.0);
    Matrix a = start(1), kept = start(2);
    for (int round = 0; round < 60; ++round) {
        const Index first = round % 7 / 3, last = 8 - round % 11 / 4, step = 1 + round % 13 / 6;
        const bool fails = round % 17 == 5;
        if (round % 5 == 2) std::swap(a, kept), std::swap(wanted, others);
        if (round % 23 == 7) a = start(round), wanted.assign(n * n, round);
        try {
            a = Adlib::modarray(a, rowsOf(x, first, last, step, round + 0.5, fails));
        } catch (const AdlibError&) {
            continue;
        }
        for (Index i = first; i <= last; i += step)
            for (Index j = 1; j <= 4; ++j) wanted[std::size_t(i * n + j)] = round + 0.5;
        expectElements(a, [&](Index i, Index j) { return wanted[std::size_t(i * n + j)]; });
        expectElements(kept, [&](Index i, Index j) { return others[std::size_t(i * n + j)]; });
    }
}

struct Pair {  // without ==
    double x;
    int y = 3;
};
struct Single {
    float x;
};
union Word {
    long whole;
    double number;
};

/// Elements 1 and 2 are `given`, which isGiven knows; isOther knows all others.
template <class T, class IsGiven, class IsOther, class... Other>
void expectGiven(const Range& x, const T& given, const IsGiven& isGiven, const IsOther& isOther,
                 const Other&... other) {
    const auto a = Adlib::genarray(
        overall(x, Triplet(1, 2), [=](const DistributedIndex&) { return given; }), other...);
    for (const Block block : a.rng(0).localBlocks())
        for (Index k = 0; k < block.count; ++k) {
            const Index n = block.globalBase + block.globalStep * k;
            const T& element = a.data()[block.localBase + block.localStep * k];
            EXPECT_TRUE(n == 1 || n == 2 ? isGiven(element) : isOther(element)) << n;
        }
}

// With and without `other`, in new storage and in used one.
TEST(WithLoops, ElementsNeedNoComparison) {
    const Procs1 p;
    const On on(p);
    const BlockRange x(7, p.dim(0));
    const auto isPair = [](double x, int y) {
        return [=](const Pair& each) { return each.x == x && each.y == y; };
    };
    for (int turn = 0; turn < 4; ++turn) {
        expectGiven(x, Pair{1, 2}, isPair(1, 2), isPair(5, 6), Pair{5, 6});
        expectGiven(x, Pair{1, 2}, isPair(1, 2), isPair(0, 3));
        const auto isOne = [](const Single& each) { return each.x == 1; };
        expectGiven(x, Single{1}, isOne, std::not_fn(isOne));
        const auto isWord = [](long n) { return [=](Word each) { return each.whole == n; }; };
        expectGiven(x, Word{1}, isWord(1), isWord(4), Word{4});
        const auto isNegative = [](double each) { return std::signbit(each); };
        expectGiven(x, 1.0, std::not_fn(isNegative), isNegative, -0.0);
    }
}

TEST(WithLoops, NestsThatStoreOneElementTwice) {
    const Procs2 p;
    const On on(p);
    if (!on) return;
    const auto one = [](const auto&, const auto&) { return 1.0; };
    forEachPair(9, 10, [&](const Range& x, const Range& y) {
        const auto a = stored(over(x, Triplet(0, 8, 2), y, Triplet(), one)),
                   b = stored(over(x, Triplet(1, 8, 2), y, Triplet(), one)),
                   c = stored(over(x, Triplet(5, 4, -1), y, Triplet(3, 9, 3), one));
        EXPECT_NO_THROW(Adlib::genarray(a, b));
        if (detail::localCount(x) < 9 || detail::localCount(y) < 10) return;
        EXPECT_MESSAGE(Adlib::genarray(a, c), "genarray: generators 1 and 2 both give (4, 3)");
        EXPECT_MESSAGE(Adlib::genarray(a, b, c), "genarray: generators 1 and 3 both give (4, 3)");
    });
}

}  // namespace
}  // namespace hpspmd::test
