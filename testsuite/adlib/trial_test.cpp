// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which way of an exchange a trial keeps.
#include "schedule/trial.hpp"

#include <gtest/gtest.h>

namespace hpspmd::detail {
namespace {

/// A trial to its end, if the exchange takes these times before a nest and beside it.
Trial tried(double apart, double together) {
    Trial trial(Where{"program.hpcpp", 7});
    for (int k = 0; trial.isOpen(); ++k) {
        const bool disturbed = k % 7 == 3;
        trial.note((trial.overlaps() ? together : apart) * (disturbed ? 50 : 1));
    }
    return trial;
}

TEST(Trial, KeepsWhatTookLessTime) {
    EXPECT_TRUE(tried(2e-5, 1e-5).overlaps());
    EXPECT_FALSE(tried(1e-5, 2e-5).overlaps());
}

TEST(Trial, AGainWithinTheNoiseIsNone) { EXPECT_FALSE(tried(1e-5, 0.99e-5).overlaps()); }

TEST(Trial, TriesBothWaysEquallyOften) {
    Trial trial(Where{"program.hpcpp", 7});
    int together = 0, rounds = 0;
    for (; trial.isOpen(); ++rounds) {
        together += trial.overlaps();
        trial.note(1);
    }
    EXPECT_EQ(2 * together, rounds);
}

TEST(Trials, AreOfPlaces) {
    const char* const file = "program.hpcpp";
    Trials trials;
    Trial& first = trials.of({file, 7});
    EXPECT_NE(&first, &trials.of({file, 8}));
    EXPECT_EQ(&first, &trials.of({file, 7}));
}

}  // namespace
}  // namespace hpspmd::detail
