/// on, at, overall and a(i, j) of programs without hpcc, in every process of pretended worlds.

#include "pretend.hpp"

#include <hpspmd/plain.hpp>

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

}  // namespace
}  // namespace hpspmd::test
