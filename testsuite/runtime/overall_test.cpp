// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The lazy expression behind `Adlib::maxval(overall (i = x for :) e)`.

#include "pretend.hpp"

namespace hpspmd::test {
namespace {

TEST(Overall, EvaluatesEachLocationOnceWhereItIsHeld) {
    Index sum = 0, evaluations = 0;
    for (int rank = 0; rank < 6; ++rank) {
        const Pretend world(6, rank);
        const Procs2 p(2, 3);
        const detail::Activate in(p);
        const BlockRange x(7, p.dim(0));
        const BlockCyclicRange y(10, p.dim(1), 2);
        const auto e = detail::overall(x, Triplet(1, 5), [&](const DistributedIndex& i) {
            return detail::overall(y, Triplet(9, i.global, -1), [&](const DistributedIndex& j) {
                EXPECT_EQ(apg().size(), 1);
                ++evaluations;
                return i.global * 100 + j.global;
            });
        });
        static_assert(std::is_same_v<detail::ValueOf<std::decay_t<decltype(e)>>::type, Index>);
        e.forEach([&](Index value, const DistributedIndex& i, const DistributedIndex& j) {
            EXPECT_EQ(value, i.global * 100 + j.global);
            sum += value;
        });
        EXPECT_EQ(e.ranges(), (std::vector<Range>{x, y}));
        EXPECT_EQ(apg(), p);
    }
    Index expected = 0, count = 0;
    for (Index i = 1; i <= 5; ++i)
        for (Index j = i; j <= 9; ++j, ++count) expected += i * 100 + j;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(evaluations, count);
}

TEST(Overall, RangesAreKnownWhereNothingIsHeld) {
    const Pretend world(4, 3);
    const Procs2 p(2, 2);
    const detail::Activate in(p);
    const BlockRange x(2, p.dim(0)), y(1, p.dim(1));
    const auto e = detail::overall(x, Triplet(0, 0), [&](const DistributedIndex&) {
        return detail::overall(y, Triplet(), [](const DistributedIndex& j) { return j.global; });
    });
    e.forEach([](Index, const auto&...) { FAIL(); });
    EXPECT_EQ(e.ranges(), (std::vector<Range>{x, y}));
    const auto empty = detail::overall(x, Triplet(1, 0), [&](const DistributedIndex&) {
        return detail::overall(y, Triplet(), [](const DistributedIndex& j) { return j.global; });
    });
    EXPECT_TRUE(empty.ranges().empty());
}

}  // namespace
}  // namespace hpspmd::test
