// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sections against index arithmetic. Every element holds its global position; for every process of
/// a pretended job, an element of a section must lie where the section's maps say, with the value
/// that the subscripts say, and each element must lie on exactly one process (times the copies of a
/// replicated array).

#include "pretend.hpp"

#include <functional>
#include <map>
#include <random>

namespace hpspmd::test {
namespace {

constexpr int processes = 6;
constexpr Index rows = 11, columns = 9;

Index valueAt(Index i, Index j) { return 100 * i + j; }

using Subscripts = std::vector<Index>;
using Oracle = std::function<Index(const Subscripts&)>;  // the value at these global indices

// Calls visit for all global indices of a's shape.
template <class Visit>
void forAllIndices(const detail::Descriptor& a, Subscripts& at, const Visit& visit) {
    const int r = static_cast<int>(at.size());
    if (r == a.rank) return visit(at);
    for (Index n = 0; n < a[r].range.size(); ++n) {
        at.push_back(n);
        forAllIndices(a, at, visit);
        at.pop_back();
    }
}

// Counts per element of the section how many processes hold it, and checks the values this one
// holds.
template <class A>
void checkElements(const A& a, const Oracle& oracle, std::map<Subscripts, int>& holders) {
    Subscripts at;
    forAllIndices(a.descriptor(), at, [&](const Subscripts& n) {
        bool held = a.grp().amMember();
        Index offset = 0;
        for (int r = 0; r < A::rank(); ++r) {
            const Location l = a.rng(r)[n[static_cast<std::size_t>(r)]];
            held = held && l.held();
            offset += a.stride(r) * l.sub;
        }
        holders[n] += held;
        if (held) {
            ASSERT_EQ(a.data()[offset], oracle(n));
        }
    });
    if (!a.grp().amMember()) {
        ASSERT_EQ(a.data(), nullptr);
    }
}

template <class A>
void fill(const A& a) {
    const Range x = a.rng(0), y = a.rng(1);
    for (const Block& b : x.localBlocks())
        for (Index k = 0; k < b.count; ++k)
            for (const Block& c : y.localBlocks())
                for (Index m = 0; m < c.count; ++m) {
                    const DistributedIndex i(x, b, k), j(y, c, m);
                    a.data()[a.stride(0) * i.sub + a.stride(1) * j.sub] =
                        valueAt(i.global, j.global);
                }
}

// Runs the body as each process, with a filled array; then every element must have had `copies`
// holders.
template <class MakeArray, class Body>
void onEveryProcess(const MakeArray& makeArray, const Body& body, int copies = 1) {
    std::map<Subscripts, int> holders;
    for (int rank = 0; rank < processes; ++rank) {
        const Pretend world(processes, rank);
        const Procs2 p(2, 3);
        const detail::Activate in(p);
        const auto a = makeArray(p);
        if (a.data() != nullptr) fill(a);
        body(a, holders);
        if (::testing::Test::HasFatalFailure()) return;
    }
    for (const auto& [at, count] : holders) ASSERT_EQ(count, copies);
}

auto blocks(const Procs2& p) {
    return create<Index>(p, ExtBlockRange(rows, p.dim(0), 1, 2), BlockRange(columns, p.dim(1)));
}
auto dealt(const Procs2& p) {
    return create<Index>(p, CyclicRange(rows, p.dim(1)), BlockCyclicRange(columns, p.dim(0), 2));
}
auto collapsedRow(const Procs2& p) {
    return create<Index>(p, CollapsedRange(rows), IrregRange({1, 5, 3}, p.dim(1)));
}
auto sequentialColumn(const Procs2& p) {
    return create<Index>(p, CyclicRange(rows, p.dim(0)), columns);
}
auto sequential(const Procs2& p) { return create<Index>(p, rows, columns); }

struct Cut {
    Index l, u, s;
    Triplet triplet() const { return Triplet(l, u, s); }
    Index operator()(Index n) const { return l + s * n; }
};
constexpr Cut rowCuts[] = {{0, 10, 1}, {1, 9, 2}, {10, 0, -1}, {8, 1, -3}, {4, 4, 7}, {5, 4, 1}};
constexpr Cut columnCuts[] = {{0, 8, 1}, {2, 7, 1}, {8, 1, -2}, {0, 8, 3}, {3, 3, -1}};

// Triplets in both dimensions, then sections of that section: triplets again, and a scalar on
// either side.
template <class A>
void checkCuts(const A& a, const Cut& x, const Cut& y, std::map<Subscripts, int>& holders) {
    const auto part = section(a, x.triplet(), y.triplet());
    std::map<Subscripts, int> ignored;
    checkElements(
        part, [&](const Subscripts& n) { return valueAt(x(n[0]), y(n[1])); }, holders);
    const Index height = part.size(0), width = part.size(1);
    if (height == 0 || width == 0) return;
    const Cut back{width - 1, 0, -2};
    checkElements(
        section(part, Triplet(), back.triplet()),
        [&](const Subscripts& n) { return valueAt(x(n[0]), y(back(n[1]))); }, ignored);
    checkElements(
        section(part, height / 2, Triplet()),
        [&](const Subscripts& n) { return valueAt(x(height / 2), y(n[0])); }, ignored);
    checkElements(
        section(part, Triplet(), width - 1),
        [&](const Subscripts& n) { return valueAt(x(n[0]), y(width - 1)); }, ignored);
    checkElements(
        section(section(part, Triplet(), 0), height - 1),
        [&](const Subscripts&) { return valueAt(x(height - 1), y(0)); }, ignored);
}

template <class MakeArray>
void checkAllCuts(const MakeArray& makeArray, int copies) {
    for (const Cut& x : rowCuts)
        for (const Cut& y : columnCuts) {
            onEveryProcess(
                makeArray,
                [&](const auto& a, std::map<Subscripts, int>& holders) {
                    checkCuts(a, x, y, holders);
                },
                copies);
            if (::testing::Test::HasFatalFailure()) return;
        }
}

TEST(Section, TripletsAndScalarsOfAnyArray) {
    checkAllCuts(blocks, 1);
    checkAllCuts(dealt, 1);
    checkAllCuts(collapsedRow, 2);
    checkAllCuts(sequentialColumn, 3);
    checkAllCuts(sequential, 6);
}

TEST(Section, ARowIsTheSameHoweverItIsToldAndWithinBounds) {
    detail::World world{2, 0};
    detail::Activate active{world.group()};
    const Procs1 p{2};
    const BlockRange y{9, p.dim(0)};
    const auto a = create<double>(p, 4, y);
    for (Index row = 0; row < 4; ++row) {
        const auto plain = section(a, row, Triplet()), told = section(a, row, Triplet(0, 8));
        EXPECT_EQ(plain.data(), a.data() + a.stride(0) * row);
        EXPECT_EQ(plain.data(), told.data());
        EXPECT_EQ(plain.rng(0), told.rng(0));
        EXPECT_EQ(plain.stride(0), told.stride(0));
        EXPECT_EQ(plain.grp(), told.grp());
    }
    EXPECT_THROW(section(a, -1, Triplet()), OutOfBounds);
    EXPECT_THROW(section(a, 4, Triplet()), OutOfBounds);
    EXPECT_THROW(section(Array<double, Seq, Dist>(), 0, Triplet()), NullArray);
}

TEST(Section, ScalarsLieOnOneProcess) {
    for (Index i : {0, 5, 10})
        for (Index j : {0, 4, 8}) {
            const auto element = [&](const auto& a, std::map<Subscripts, int>& holders) {
                const auto scalar = section(a, i, j);
                static_assert(std::decay_t<decltype(scalar)>::rank() == 0);
                checkElements(
                    scalar, [&](const Subscripts&) { return valueAt(i, j); }, holders);
            };
            onEveryProcess(blocks, element);
            onEveryProcess(dealt, element);
        }
}

TEST(Section, IndexRestrictsToTheOwnSlice) {
    onEveryProcess(blocks, [](const auto& a, std::map<Subscripts, int>&) {
        const Range x = a.rng(0);
        const Location at = x[7];
        if (!at.held()) return;
        const DistributedIndex i(x, at);
        const Array<Index, Dist> row = section(a, i, Triplet());
        EXPECT_EQ(row.grp(), a.grp() / x[7]);
        std::map<Subscripts, int> ignored;
        checkElements(
            row, [](const Subscripts& n) { return valueAt(7, n[0]); }, ignored);
        const Array<Index, Dist> before = section(a, i - 1, Triplet());
        EXPECT_EQ(before.data() + before.stride(0) * 0, row.data() - a.stride(0));
        EXPECT_EQ(section(a, i, Triplet(2, 1)).size(0), 0);
    });
}

// Slot k of coordinate c is local slot k of the process with that coordinate, padding slots apart.
TEST(Section, SplittingShowsTheLocalBlock) {
    const auto splits = [](const auto& a, std::map<Subscripts, int>&) {
        const Array<Index, Dist, Seq, Dist, Seq> s = section(a, split, split);
        const Range x = a.rng(0), y = a.rng(1);
        ASSERT_EQ(s.rng(0), x.dim());
        ASSERT_EQ(s.stride(0), s.stride(1) * s.size(1));
        ASSERT_EQ(s.size(1), x.record()->format->shell());
        ASSERT_EQ(s.size(3), y.record()->format->shell());
        for (const Block& b : x.localBlocks())
            for (Index k = 0; k < b.count; ++k)
                for (const Block& c : y.localBlocks())
                    for (Index m = 0; m < c.count; ++m)
                        ASSERT_EQ(s.data()[s.stride(1) * (b.localBase + b.localStep * k) +
                                           s.stride(3) * (c.localBase + c.localStep * m)],
                                  valueAt(b.globalBase + b.globalStep * k,
                                          c.globalBase + c.globalStep * m));
    };
    onEveryProcess(blocks, splits);
    onEveryProcess(dealt, splits);
    onEveryProcess(collapsedRow, splits, 2);
}

TEST(Section, SplittingASection) {
    onEveryProcess(
        sequentialColumn,
        [](const auto& a, std::map<Subscripts, int>&) {
            const auto part = section(a, Triplet(9, 2, -2), Triplet(8, 0, -4));
            const Array<Index, Dist, Seq, Seq> s = section(part, split, Triplet());
            const Block b = part.rng(0).localBlock();
            for (Index k = 0; k < b.count; ++k)
                for (Index m = 0; m < 3; ++m)
                    ASSERT_EQ(
                        s.data()[s.stride(1) * (b.localBase + b.localStep * k) + s.stride(2) * m],
                        valueAt(9 - 2 * (b.globalBase + b.globalStep * k), 8 - 4 * m));
        },
        3);
}

TEST(Section, CastToSequentialKeepsTheElements) {
    onEveryProcess(
        collapsedRow,
        [](const auto& a, std::map<Subscripts, int>& holders) {
            const auto part = section(a, Triplet(9, 1, -4), Triplet());
            const auto cast = static_cast<Array<Index, Seq, Dist>>(part);
            checkElements(
                cast, [](const Subscripts& n) { return valueAt(9 - 4 * n[0], n[1]); }, holders);
            EXPECT_EQ(cast.rng(0), CollapsedRange(3));
        },
        2);
}

TEST(Section, RestrictionOfAReplicatedArray) {
    const Pretend world(processes, 4);
    const Procs2 p(2, 3);
    const BlockRange x(rows, p.dim(0)), y(columns, p.dim(1));
    const auto a = create<double>(p, x);
    const auto slice = a / y[4];
    EXPECT_EQ(slice.grp(), p / y[4]);
    EXPECT_EQ(slice.data(), a.data());
    EXPECT_EQ((a / y[0]).data(), nullptr);
    EXPECT_EQ((a / DistributedIndex(y, y[4])).grp(), slice.grp());
    EXPECT_THROW(a / x[3], DimensionNotInGroup);
    EXPECT_THROW(slice / y[4], DimensionNotInGroup);
}

}  // namespace
}  // namespace hpspmd::test
