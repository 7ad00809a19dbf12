// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Handles: aliasing, null and moved-from, conversions and deduction, layout, replication, like and
/// clone.

#include "pretend.hpp"

#include <complex>
#include <map>
#include <thread>

namespace hpspmd::test {
namespace {

template <class T, class... S>
constexpr bool isExactly(const Array<T, S...>&, detail::Types<T, S...>) {
    return true;
}

TEST(Array, SlotsFollowFromTheExtents) {
    const Pretend world(1, 0);
    const Procs1 p;
    const BlockRange x(4, p.dim(0));
    const int n = 3;
    EXPECT_TRUE(isExactly(create<double>(p, x, n), detail::Types<double, Dist, Seq>()));
    EXPECT_TRUE(isExactly(create<float>(p), detail::Types<float>()));
    EXPECT_TRUE(
        isExactly(create<int>(p, std::size_t{2}, Range(x)), detail::Types<int, Seq, Dist>()));
}

TEST(Array, LastDimensionIsContiguousAndGhostCellsLieAround) {
    const Pretend world(4, 1);
    const Procs2 p(2, 2);
    const auto a =
        create<double>(p, ExtBlockRange(10, p.dim(0), 2, 1), ExtBlockRange(7, p.dim(1), 1, 3), 5);
    EXPECT_EQ(a.stride(2), 1);
    EXPECT_EQ(a.stride(1), 5);
    EXPECT_EQ(a.stride(0), 5 * (4 + 1 + 3));
    EXPECT_EQ(a.storage()->slots, (5 + 2 + 1) * (4 + 1 + 3) * 5);
    const double* first = reinterpret_cast<const double*>(a.storage()->address);
    EXPECT_EQ(a.data() - 2 * a.stride(0) - 1 * a.stride(1), first);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_EQ(a.localExtent(0), 5);
    EXPECT_EQ(a.localExtent(1), 3);
    EXPECT_EQ(a.localExtent(2), 5);
    EXPECT_EQ(a.size(1), 7);
}

// The place of an element in its cache line, in bytes.
template <class A>
std::uintptr_t placeInLine(const A& a, Index element) {
    return reinterpret_cast<std::uintptr_t>(a.data() + element) % 64;
}

TEST(Array, LongRowsStartLinesOrTheirInteriorDoes) {
    for (const int rank : {0, 1}) {
        const Pretend world(2, rank);
        const Procs1 p;
        const ExtBlockRange ghosts(400, p.dim(0), 1, 1);
        const auto plain = create<double>(p, BlockRange(4, p.dim(0)), 101);
        EXPECT_EQ(placeInLine(plain, plain.stride(0)), 0u);
        const auto columns = create<double>(p, ghosts, 101);
        EXPECT_EQ(placeInLine(columns, columns.stride(0) + 1), 0u);
        const auto row = create<float>(p, 3, ghosts);  // its edge is in process 0 only
        EXPECT_EQ(placeInLine(row, row.stride(0) + (rank == 0 ? 1 : 0)), 0u);
        const auto shortRows = create<double>(p, ghosts, 20);
        EXPECT_EQ(placeInLine(shortRows, 0), 0u);
    }
}

TEST(Array, CopiesAliasAndTheLastOneFrees) {
    const Pretend world(1, 0);
    const Procs1 p;
    Array<int, Seq> a = create<int>(p, 10), b = a;
    b.data()[3] = 7;
    EXPECT_EQ(a.data()[3], 7);
    EXPECT_EQ(a.storage()->references, 2);
    b = clone(a);
    b.data()[3] = 8;
    EXPECT_EQ(a.data()[3], 7);
    EXPECT_EQ(a.storage()->references, 1);
    const Array<int, Seq> part = section(a, Triplet(3, 5));
    a = Array<int, Seq>();
    EXPECT_EQ(part.data()[0], 7);
    EXPECT_EQ(part.storage()->references, 1);
}

TEST(Array, NullAndMovedFromHandles) {
    const Pretend world(1, 0);
    const Procs1 p;
    Array<double, Dist> a, b = create<double>(p, BlockRange(4, p.dim(0)));
    EXPECT_FALSE(a.valid());
    EXPECT_EQ(a.data(), nullptr);
    a = std::move(b);
    EXPECT_TRUE(a.valid());
    EXPECT_FALSE(b.valid());
    EXPECT_EQ(b.data(), nullptr);
    std::swap(a, b);
    EXPECT_TRUE(b.valid());
    const Array<double, Dist> c = a;
    EXPECT_FALSE(c.valid());
    EXPECT_THROW(c.rng(0), NullArray);
    EXPECT_THROW(c.size(0), NullArray);
    EXPECT_THROW(c.grp(), NullArray);
    EXPECT_THROW(c.localExtent(0), NullArray);
    EXPECT_THROW(like(c), NullArray);
    EXPECT_THROW(clone(c), NullArray);
    EXPECT_THROW(section(c, Triplet()), NullArray);
    EXPECT_THROW(c / BlockRange(4, p.dim(0))[1], NullArray);
    b = *&b;
    EXPECT_TRUE(b.valid());
}

Index rankOfExact(Array<double, Dist, Seq>) { return 1; }
Index rankOfExact(Array<double, Dist, Dist>) { return 2; }
double* byConst(Array<const double, Dist, Dist> a) { return const_cast<double*>(a.data()); }
template <class T, class a_0>
bool generic(Array<const T, a_0, Seq> a) {
    static_assert(detail::isSlot<a_0>);
    return a.valid() && std::is_same_v<T, double>;
}
template <class T, class a_0>
constexpr bool deducesConst(const Array<T, a_0, Seq>&) {
    return std::is_const_v<T>;
}

TEST(Array, ConversionsAndDeduction) {
    const Pretend world(1, 0);
    const Procs1 p;
    const BlockRange x(4, p.dim(0));
    const Array<double, Dist, Seq> a = create<double>(p, x, 3);
    const Array<double, Seq, Seq> s = create<double>(p, 4, 3);
    const Array<const double, Dist, Seq> c = a;
    EXPECT_EQ(rankOfExact(a), 1);
    EXPECT_EQ(rankOfExact(Array<double, Dist, Dist>(a)), 2);
    EXPECT_EQ(byConst(a), a.data());
    EXPECT_EQ(byConst(s), s.data());
    EXPECT_EQ(byConst(c), a.data());
    EXPECT_TRUE(generic(a));
    EXPECT_TRUE(generic(s));
    EXPECT_TRUE(generic(c));
    EXPECT_FALSE(deducesConst(a));
    EXPECT_TRUE(deducesConst(c));
    const Array<double, Dist, Dist> wide = a;
    EXPECT_EQ((static_cast<Array<double, Dist, Seq>>(wide).data()), a.data());
    EXPECT_THROW(static_cast<void>(static_cast<Array<double, Seq, Seq>>(wide)), RangeNotCollapsed);
    Array<const double, Dist, Dist> assigned;
    assigned = a;
    assigned = s;
    EXPECT_EQ(assigned.data(), s.data());
    EXPECT_FALSE((std::is_convertible_v<Array<double, Dist>, Array<double, Seq>>));
    EXPECT_FALSE((std::is_convertible_v<Array<const double, Seq>, Array<double, Seq>>));
    EXPECT_FALSE((std::is_constructible_v<Array<double, Seq>, Array<const double, Seq>>));
    EXPECT_FALSE((std::is_constructible_v<Array<double, Seq>, Array<double, Seq, Seq>>));
    EXPECT_FALSE((std::is_constructible_v<Array<double, Seq>, Array<float, Seq>>));
    const Array<double, Dist> null;
    EXPECT_FALSE((static_cast<Array<double, Seq>>(null).valid()));
}

struct Level {
    Array<double, Dist> u, f;
    Range x;
};

TEST(Array, InContainersAndClasses) {
    const Pretend world(2, 0);
    const Procs1 p;
    std::vector<Level> levels;
    for (Index n = 64; n >= 4; n /= 2) {
        const ExtBlockRange x(n, p.dim(0));
        levels.push_back({create<double>(p, x), create<double>(p, x), x});
    }
    levels.insert(levels.begin(), Level{});
    levels.erase(levels.begin() + 2);
    EXPECT_FALSE(levels[0].u.valid());
    EXPECT_EQ(levels[2].u.size(0), 16);
    std::map<int, Array<int, Seq>> byKey;
    byKey[3] = create<int>(p, 3);
    EXPECT_EQ(byKey[3].storage()->references, 1);
    const auto captured = [u = levels[1].u] { return u.size(0); };
    EXPECT_EQ(captured(), 64);
}

struct Counted {
    static int alive;
    int value = 5;
    Counted() { ++alive; }
    Counted(const Counted& other) : value(other.value) { ++alive; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --alive; }
};
int Counted::alive = 0;

struct ThrowsAtThird {
    static int made;
    ThrowsAtThird() {
        if (++made == 3) throw std::runtime_error("third");
    }
    ~ThrowsAtThird() { --made; }
};
int ThrowsAtThird::made = 0;

TEST(Array, ElementsAreValueInitialisedAndDestroyed) {
    const Pretend world(2, 0);
    const Procs1 p;
    {
        const auto a = create<Counted>(p, ExtBlockRange(6, p.dim(0), 1, 1));
        EXPECT_EQ(Counted::alive, 5);  // 3 and two ghost cells
        EXPECT_EQ(a.data()[-1].value, 5);
        const auto b = clone(a);
        EXPECT_EQ(Counted::alive, 10);
    }
    EXPECT_EQ(Counted::alive, 0);
    EXPECT_THROW(create<ThrowsAtThird>(p, 5), std::runtime_error);
    EXPECT_EQ(ThrowsAtThird::made, 1);  // the third was never made, the first two are gone
    const auto names = create<std::string>(p, 3);
    names.data()[1] = "a string longer than the small buffer of the library";
    EXPECT_EQ(clone(names).data()[1], names.data()[1]);
    const auto z = create<std::complex<double>>(p, 4);
    EXPECT_EQ(z.data()[3], 0.0);
    struct Member {
        int x;
    };
    const auto pointers = create<int Member::*>(p, 2);
    EXPECT_EQ(pointers.data()[1], nullptr);
}

TEST(Array, ReusedMemoryIsZeroAgain) {
    const Pretend world(1, 0);
    const Procs1 p;
    for (Index n : {10, 3000, 2000000}) {
        auto a = create<Index>(p, n);
        for (Index k = 0; k < n; ++k) a.data()[k] = -1;
        a = Array<Index, Seq>();
        a = create<Index>(p, n);
        for (Index k = 0; k < n; ++k) ASSERT_EQ(a.data()[k], 0);
    }
}

TEST(Array, ReplicationAndNonMembers) {
    for (int rank = 0; rank < 6; ++rank) {
        const Pretend world(6, rank);
        const Procs2 p(2, 2);
        const BlockRange x(8, p.dim(0));
        const auto replicated = create<double>(p, x);
        EXPECT_EQ(replicated.data() != nullptr, rank < 4);
        EXPECT_EQ(replicated.storage()->slots, rank < 4 ? 4 : 0);
        EXPECT_EQ(replicated.localExtent(0), rank < 4 ? 4 : 0);
        const auto column = create<double>(p / p.dim(1)[1], x);
        EXPECT_EQ(column.data() != nullptr, rank == 1 || rank == 3);
        EXPECT_TRUE(column.valid());
        EXPECT_EQ(clone(column).data() != nullptr, column.data() != nullptr);
    }
}

TEST(Array, LikeAndCloneOfSections) {
    const Pretend world(2, 1);
    const Procs1 p;
    const auto a = create<int>(p, CyclicRange(10, p.dim(0)), 6);
    for (Index s = 0; s < 5; ++s)
        for (Index k = 0; k < 6; ++k)
            a.data()[a.stride(0) * s + a.stride(1) * k] = static_cast<int>(10 * s + k);
    const auto part = section(a, Triplet(9, 1, -4), Triplet(1, 5, 2));
    const auto copy = clone(part);
    EXPECT_EQ(copy.rng(0), part.rng(0));
    EXPECT_EQ(copy.size(1), 3);
    EXPECT_NE(copy.storage(), part.storage());
    for (Index n : {0, 1, 2})
        for (Index k : {0, 1, 2}) {
            const Index sub = part.rng(0)[n].sub;
            EXPECT_EQ(copy.data()[copy.stride(0) * sub + copy.stride(1) * k], 10 * sub + 1 + 2 * k);
        }
    const Array<float, Dist, Seq> other = like<float>(part);
    EXPECT_EQ(other.rng(0), part.rng(0));
    const Array<const int, Dist, Seq> constant = part;
    const Array<int, Dist, Seq> fresh = like(constant);
    EXPECT_EQ(fresh.data()[0], 0);
    const auto scalar = section(a, 1, 2);
    EXPECT_EQ(clone(scalar).data()[0], 2);
}

TEST(Array, ThreadsShareRecordsAndTheArena) {
    const Pretend world(4, 2);
    const Procs2 p(2, 2);
    const Array<Index, Dist, Seq> shared = create<Index>(p, BlockRange(64, p.dim(0)), 8);
    const auto work = [&](Index seed) {
        const detail::Activate in(p);
        for (Index k = 0; k < 200; ++k) {
            const CyclicRange x(seed * 31 + k % 7, p.dim(1));
            const auto own = create<Index>(p, x, 1 + k % 50);
            const auto row = section(shared, Triplet(k % 64, 63), k % 8);
            const detail::Active guard(x.dim());
            ASSERT_EQ(own.data()[0], 0);
            own.data()[0] = seed;
            ASSERT_EQ(row.size(0), 64 - k % 64);
            ASSERT_EQ(apg(), p / p.dim(1)[p.dim(1).crd()]);
        }
    };
    std::vector<std::thread> threads;
    for (Index seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(shared.storage()->references, 1);
}

TEST(Array, EmptyAndTinyExtents) {
    for (int rank = 0; rank < 4; ++rank) {
        const Pretend world(4, rank);
        const Procs1 p;
        const auto none = create<double>(p, BlockRange(0, p.dim(0)), 3);
        EXPECT_EQ(none.size(0), 0);
        EXPECT_EQ(none.localExtent(0), 0);
        EXPECT_TRUE(none.valid());
        EXPECT_EQ(section(none, Triplet(), 1).size(0), 0);
        const auto one = create<double>(p, CyclicRange(1, p.dim(0)), 0);
        EXPECT_EQ(one.localExtent(0), rank == 0 ? 1 : 0);
        EXPECT_EQ(one.size(1), 0);
        const auto few = create<double>(p, BlockCyclicRange(3, p.dim(0), 2));
        EXPECT_EQ(few.localExtent(0), rank == 0 ? 2 : rank == 1 ? 1 : 0);
    }
}

}  // namespace
}  // namespace hpspmd::test
