// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The batches of a loop: each iteration is in one of them, in order.

#include <gtest/gtest.h>

#include <hpspmd/batch.hpp>

namespace hpspmd::test {
namespace {

using detail::Batch;
using detail::WholeLoop;

TEST(Batch, holdsEachIterationOnce) {
    for (const Index first : {-5, 0, 7})
        for (const Index count : {0, 1, 31, 64, 65, 96, 300, 2049, 10000})
            for (const bool goesOn : {false, true}) {
                const Index last = first + count - 1;
                Index next = first;
                for (Batch batch(WholeLoop{first, last, goesOn}); batch; batch.next()) {
                    EXPECT_EQ(batch.first, next);
                    EXPECT_LE(batch.first, batch.last);
                    next = batch.last + 1;
                }
                EXPECT_EQ(next, last + 1);
            }
}

TEST(Batch, isAskedButForTheFirstOne) {
    Batch fresh(WholeLoop{0, 999, false}), further(WholeLoop{0, 999, true});
    EXPECT_FALSE(fresh.mayBeLeftOut());
    EXPECT_TRUE(further.mayBeLeftOut());
    fresh.next();
    EXPECT_TRUE(fresh.mayBeLeftOut());
    EXPECT_LT(fresh.last - fresh.first, further.last - further.first);
}

TEST(Batch, isTakenInPartsWhereALongOneHoldsSomething) {
    for (const Index place : {3000, 9000, 19999, 30000, 99999}) {
        Index done = 0, asked = 0;
        for (Batch batch(WholeLoop{0, 99999, false}); batch; batch.next()) {
            const bool isHere = batch.first <= place && place <= batch.last;
            ++asked;
            if (batch.mayBeLeftOut() && batch.isLeftOut(isHere)) continue;
            if (isHere) done = batch.last - batch.first + 1;
        }
        EXPECT_GT(done, 0) << place;
        EXPECT_LE(done, 256) << place;
        EXPECT_LT(asked, 200) << place;
    }
}

TEST(WholeLoop, isLongSoonerIfItGoesOn) {
    EXPECT_FALSE((WholeLoop{0, 99, false}.isLong()));
    EXPECT_TRUE((WholeLoop{0, 99, true}.isLong()));
    EXPECT_TRUE((WholeLoop{0, 199, false}.isLong()));
}

}  // namespace
}  // namespace hpspmd::test
