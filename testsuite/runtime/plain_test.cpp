// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// on, at, overall and a(i, j) of programs without hpcc, in every process of pretended worlds.

#include "pretend.hpp"

#include <hpspmd/plain.hpp>

#include <array>
#include <functional>
#include <map>
#include <tuple>

namespace hpspmd::test {
namespace {

using Places = std::map<std::pair<Index, Index>, int>;

// How often the processes of a 2 x 3 grid meet each location of x[l : u : s] and all of y.
Places visited(const std::function<Range(const Dimension&)>& makeX, Index l, Index u, Index s) {
    Places places;
    for (int rank = 0; rank < 6; ++rank) {
        const Pretend world(6, rank);
        const Procs2 p(2, 3);
        const detail::Activate in(p);
        const Range x = makeX(p.dim(1)), y = CyclicRange(4, p.dim(0));
        for (auto i : overall(x, l, u, s))
            for (auto j : overall(y)) {
                EXPECT_EQ(apg().size(), 1);
                EXPECT_EQ(x.location(i.global).sub, i.sub);
                ++places[{i.global, j.global}];
            }
        EXPECT_EQ(apg(), p);
    }
    return places;
}

Places expected(Index l, Index u, Index s) {
    Places places;
    for (Index i = l; s > 0 ? i <= u : i >= u; i += s)
        for (Index j = 0; j < 4; ++j) places[{i, j}] = 1;
    return places;
}

TEST(Plain, OverallVisitsEachLocationOnce) {
    const auto block = [](const Dimension& d) { return BlockRange(17, d); };
    const auto cyclic = [](const Dimension& d) { return CyclicRange(17, d); };
    const auto dealt = [](const Dimension& d) { return BlockCyclicRange(17, d, 2); };
    for (const auto& [l, u, s] :
         {std::tuple<Index, Index, Index>{0, 16, 1}, {1, 15, 3}, {16, 0, -5}, {4, 3, 1}}) {
        EXPECT_EQ(visited(block, l, u, s), expected(l, u, s));
        EXPECT_EQ(visited(cyclic, l, u, s), expected(l, u, s));
        EXPECT_EQ(visited(dealt, l, u, s), expected(l, u, s));
    }
}

class PlainNest : public ::testing::Test {
protected:
    Pretend world{6, 4};
    Procs2 p{2, 3};
    detail::Activate in{p};
    ExtBlockRange x{8, p.dim(0), 1, 2};
    BlockCyclicRange y{9, p.dim(1), 1};
    Array<double, Dist, Dist> a = create<double>(p, x, y);
    Array<double, Dist, Seq> b = create<double>(p, x, 5);
    Array<double, Dist> nullArray;
};

TEST_F(PlainNest, LeavingALoopRestoresTheGroup) {
    for (auto i : overall(x)) {
        EXPECT_EQ(apg(), p / i);
        break;
    }
    EXPECT_EQ(apg(), p);
    EXPECT_THROW(for (auto i : overall(x)) throw i.global, Index);
    EXPECT_EQ(apg(), p);
}

TEST_F(PlainNest, AtRunsWhereTheLocationIsHeld) {
    int runs = 0;
    for (auto i : at(x, 5)) {  // process 4 has coordinate 1 of dimension 0: locations 4 .. 7
        EXPECT_EQ(i.global, 5);
        EXPECT_EQ(i.sub, 1);
        ++runs;
    }
    EXPECT_EQ(runs, 1);
    for (auto i : at(x, 3)) ADD_FAILURE() << i.global;
    EXPECT_THROW(at(x, 8), OutOfBounds);
}

TEST_F(PlainNest, OnRunsForMembers) {
    const Group row = p / p.dim(0)[1], other = p / p.dim(0)[0];
    int runs = 0;
    if (On active{row}) {
        ++runs;
        EXPECT_EQ(apg(), row);
    }
    EXPECT_EQ(runs, 1);
    if (On active{other}) ADD_FAILURE() << "not a member";
    EXPECT_EQ(apg(), p);
}

TEST_F(PlainNest, ElementsAreThoseOfTheirStrides) {
    for (auto i : overall(x))
        for (auto j : overall(y)) {
            EXPECT_EQ(&a(i, j), a.data() + a.stride(0) * i.sub + a.stride(1) * j.sub);
            EXPECT_EQ(&a(i - 1, j), a.data() + a.stride(0) * (i.sub - 1) + a.stride(1) * j.sub);
            EXPECT_EQ(&b(i + 2, 4), b.data() + b.stride(0) * (i.sub + 2) + b.stride(1) * 4);
        }
    const Array<const double, Dist, Seq> fixed = b;
    static_assert(std::is_same_v<decltype(fixed(*overall(x).begin(), 0)), const double&>);
    Array<int> one = create<int>(p);
    one() = 7;
    EXPECT_EQ(*one.data(), 7);
}

TEST_F(PlainNest, EveryAccessIsChecked) {
    const DistributedIndex i = *overall(x).begin(), j = *overall(y).begin();
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] { a(j, j); }), "dimension 0 of the array"));
    EXPECT_TRUE(mentions(messageOf<ShiftTooWide>([&] { a(i - 2, j); }), "shifted by -2"));
    EXPECT_THROW(a(i + 3, j), ShiftTooWide);
    EXPECT_THROW(a(i, j + 1), ShiftTooWide);
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { b(i, 5); }), "is 5, outside 0 .. 4"));
    EXPECT_THROW(b(i, -1), OutOfBounds);
    const Array<double, Dist> elsewhere = create<double>(p / p.dim(1)[0], x);
    EXPECT_THROW(elsewhere(i), GroupNotContained);
    const int line = __LINE__ + 1;
    EXPECT_TRUE(mentions(messageOf<NullArray>([&] { (Array<double, Dist>()(i)); }),
                         "plain_test.cpp:" + std::to_string(line)));
}

TEST_F(PlainNest, NullAndEmptyArraysHaveNoElements) {
    const DistributedIndex i = *overall(x).begin();
    const int line = __LINE__ + 1;
    EXPECT_TRUE(mentions(messageOf<NullArray>([&] { local(nullArray); }),
                         "plain_test.cpp:" + std::to_string(line)));
    const Array<double, Seq> empty = create<double>(p, 0);
    EXPECT_THROW(empty(0), OutOfBounds);
    EXPECT_THROW(local(empty)(0), OutOfBounds);
    EXPECT_THROW(nullArray(i), NullArray);
}

// How often run() meets the locations of x[l : u : s], in all processes of a 2 x 3 grid.
std::map<Index, int> met(const std::function<Range(const Dimension&)>& makeX, Index l, Index u,
                         Index s) {
    std::map<Index, int> result;
    for (int rank = 0; rank < 6; rank += 2) {  // coordinates 0, 2, 1 of dimension 1
        const Pretend world(6, rank);
        const Procs2 p(2, 3);
        const detail::Activate in(p);
        const Range x = makeX(p.dim(1));
        for (auto i : run(x, l, u, s)) {
            EXPECT_EQ(apg(), p / i);
            EXPECT_EQ(x.location(i.global).sub, i.sub);
            EXPECT_EQ((i + 1).sub(), i.sub + x.str());
            ++result[i.global];
        }
        EXPECT_EQ(apg(), p);
    }
    return result;
}

TEST(Plain, RunVisitsEachLocationOnce) {
    const auto block = [](const Dimension& d) { return BlockRange(17, d); };
    const auto cyclic = [](const Dimension& d) { return CyclicRange(17, d); };
    const auto few = [](const Dimension& d) { return ExtBlockRange(2, d, 1, 1); };
    const auto collapsed = [](const Dimension&) { return CollapsedRange(17); };
    std::map<Index, int> all, third;
    for (Index n = 0; n < 17; ++n) all[n] = 1;
    for (Index n = 1; n < 16; n += 3) third[n] = 1;
    EXPECT_EQ(met(block, 0, 16, 1), all);
    EXPECT_EQ(met(cyclic, 0, 16, 1), all);
    EXPECT_EQ(met(block, 1, 15, 3), third);
    const Pretend world(6, 5);
    const Procs2 p(2, 3);
    const detail::Activate in(p);
    const Array<double, Dist> nothing = create<double>(p, few(p.dim(1)));
    EXPECT_EQ(nothing.localExtent(0), 0);
    for (auto i : run(nothing.rng(0))) EXPECT_EQ(&local(nothing)(i), &nothing(i));
    EXPECT_NO_THROW(local(nothing));
    EXPECT_EQ(met(few, 0, 1, 1), (std::map<Index, int>{{0, 1}, {1, 1}}));
    EXPECT_EQ(met(block, 4, 3, 1), (std::map<Index, int>()));
    for (auto& [n, times] : all) times = 3;  // in each process
    EXPECT_EQ(met(collapsed, 0, 16, 1), all);
}

TEST_F(PlainNest, RunDemandsARun) {
    EXPECT_TRUE(mentions(messageOf<SeveralBlocks>([&] { run(y); }), "blocks of it; use overall()"));
    const Range odd = BlockRange(9, p.dim(0)).subrange(1, 8, 2);
    EXPECT_TRUE(mentions(messageOf<SeveralBlocks>([&] { run(odd); }), "slots between them"));
    EXPECT_THROW(run(x, 0, 8), OutOfBounds);
}

class LocalElements : public PlainNest {
protected:
    BlockRange z{8, p.dim(0)};
    Array<double, Dist, Seq, Dist> c = create<double>(p, x, 3, y);
};

TEST_F(LocalElements, AreThoseOfTheArray) {
    const auto u = local(a);
    const auto v = local(b);
    const auto w = local(c);
    for (auto i : overall(x))
        for (auto j : overall(y)) {
            EXPECT_EQ(&u(i, j), &a(i, j));
            EXPECT_EQ(&u(i - 1, j), &a(i - 1, j));
            EXPECT_EQ(&u.row(i + 2)(j), &a(i + 2, j));
            EXPECT_EQ(&v(i, 4), &b(i, 4));
            EXPECT_EQ(&v.row(i)(4), &b(i, 4));
            EXPECT_EQ(&w(i, 2, j), &c(i, 2, j));
            EXPECT_EQ(&w.row(i - 1).row(2)(j), &c(i - 1, 2, j));
        }
    const Array<const double, Dist, Seq> fixed = b;
    static_assert(std::is_same_v<decltype(local(fixed)(*overall(x).begin(), 0)), const double&>);
    const Array<int> one = create<int>(p);
    local(one)() = 7;
    EXPECT_EQ(*one.data(), 7);
}

TEST_F(LocalElements, EveryAccessIsChecked) {
    const DistributedIndex i = *overall(x).begin(), j = *overall(y).begin();
    const auto u = local(a);
    const auto v = local(b);
    const auto w = local(c);
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] { u(j, j); }), "dimension 0 of the array"));
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] { u.row(i)(i); }), "dimension 1"));
    EXPECT_TRUE(mentions(messageOf<ShiftTooWide>([&] { u(i - 2, j); }), "shifted by -2"));
    EXPECT_THROW(u(i + 3, j), ShiftTooWide);
    EXPECT_THROW(u.row(i + 3), ShiftTooWide);
    EXPECT_THROW(u(i, j + 1), ShiftTooWide);
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { v(i, 5); }), "subscript 1 is 5"));
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { v.row(i)(-1); }), "subscript 1 is -1"));
    EXPECT_THROW(w.row(i).row(3), OutOfBounds);
    const int line = __LINE__ + 1;
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { w(i, 3, j); }),
                         "plain_test.cpp:" + std::to_string(line)));
    const Array<double, Dist> elsewhere = create<double>(p / p.dim(1)[0], x);
    EXPECT_THROW(local(elsewhere), GroupNotContained);
}

TEST_F(LocalElements, OfIndicesOverAnotherRange) {
    const DistributedIndex k = *overall(z).begin();
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] { local(b)(k, 0); }), "was not told so"));
    EXPECT_TRUE(mentions(messageOf<ShiftTooWide>([&] {
                             local(b, {z, {}})(k + 3, 0);
                         }),
                         "1 ghost cells below and 2 above"));
    const auto v = local(b, {z, {}});
    EXPECT_EQ(&v(k, 4), &b(k, 4));
    EXPECT_EQ(&v(k - 1, 4), &b(k - 1, 4));
    EXPECT_THROW(v(k - 2, 4), ShiftTooWide);
    EXPECT_THROW(v(*overall(x).begin(), 4), IndexMismatch);
    EXPECT_THROW(local(a, {y, y}), IndexMismatch);

    const Range backwards = x.subrange(7, 0, -2);
    const auto r = local(b, {backwards, {}});
    const DistributedIndex m = *overall(backwards).begin();
    EXPECT_EQ(&r(m, 1), &b(m, 1));
    EXPECT_EQ(&r(m - 1, 1), &b(m - 1, 1));  // two cells above
    EXPECT_THROW(r(m + 1, 1), ShiftTooWide);
    EXPECT_THROW(b(m + 1, 1), ShiftTooWide);
}

}  // namespace
}  // namespace hpspmd::test
