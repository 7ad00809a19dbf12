// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The schedule cache of a group: what identifies a schedule, and what is dropped.

#include <gtest/gtest.h>

#include <hpspmd/active.hpp>
#include <hpspmd/create.hpp>
#include <hpspmd/procs.hpp>
#include <hpspmd/section.hpp>

#include "schedule/cache.hpp"

namespace hpspmd::test {
namespace {

using namespace detail;

struct Numbered final : Prepared {
    explicit Numbered(int number) : number(number) {}
    int number;
};

int numberOf(const Group& g, const Key& key, int ifNew) {
    return cached<Numbered>(g, key, [&] { return std::make_unique<Numbered>(ifNew); }).number;
}

class Cache : public testing::Test {
protected:
    World world{6, 2};
    Activate active{world.group()};
    Procs2 p{2, 3};
    BlockRange x{12, p.dim(0)}, y{12, p.dim(1)};
};

TEST_F(Cache, FindsAScheduleByOperationLayoutAndParameters) {
    const auto a = create<double>(p, x, y), same = create<double>(p, x, y);
    const auto other = create<double>(p, x, 12);
    const auto wide = create<double>(p, x, y, 2);
    const auto plane = section(wide, Triplet(), Triplet(), 1);  // the ranges of a, other strides
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(a.descriptor()), 1), 1);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(same.descriptor()), 2), 1);
    EXPECT_EQ(numberOf(p, Key(Kind::Copy).add(a.descriptor()), 3), 3);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(other.descriptor()), 4), 4);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(plane.descriptor()), 5), 5);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(a.descriptor()).add(7), 6), 6);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(a.descriptor()), 7), 1);
    EXPECT_EQ(ScheduleCache::of(p).size(), 5u);
}

TEST_F(Cache, FindsSchedulesInWhateverOrderTheyAreUsed) {
    for (int k = 0; k < 4; ++k) numberOf(p, Key(Kind::Shift).add(k), k);
    for (const int k : {0, 1, 0, 2, 0, 1, 3, 3, 1, 0, 1})
        EXPECT_EQ(numberOf(p, Key(Kind::Shift).add(k), -1), k);
}

TEST_F(Cache, BelongsToItsGroup) {
    const Group row = p / x[0];
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(1), 1), 1);
    EXPECT_EQ(numberOf(row, Key(Kind::Remap).add(1), 2), 2);
    EXPECT_EQ(numberOf(p, Key(Kind::Remap).add(1), 3), 1);
}

TEST_F(Cache, DropsTheScheduleWhoseLastUseIsLongestAgo) {
    const int capacity = static_cast<int>(ScheduleCache::capacity);
    for (int k = 0; k < capacity; ++k) numberOf(p, Key(Kind::Shift).add(k), k);
    numberOf(p, Key(Kind::Shift).add(0), -1);                            // used again
    EXPECT_EQ(numberOf(p, Key(Kind::Shift).add(capacity), 1000), 1000);  // in place of 1
    EXPECT_EQ(numberOf(p, Key(Kind::Shift).add(0), -1), 0);
    EXPECT_EQ(numberOf(p, Key(Kind::Shift).add(1), -1), -1);  // in place of 2
    EXPECT_EQ(numberOf(p, Key(Kind::Shift).add(3), -2), 3);
    EXPECT_EQ(ScheduleCache::of(p).size(), ScheduleCache::capacity);
}

}  // namespace
}  // namespace hpspmd::test
