// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two intervals of global indices have a common location. A table of questions and answers.
#include "check/halo/box.hpp"

#include <gtest/gtest.h>

namespace hpcc::check::halo {
namespace {

Bound low(long offset) { return {Bound::Kind::Low, 0, offset}; }
Bound high(long offset) { return {Bound::Kind::High, 0, offset}; }
Bound variable(int which, long offset = 0) { return {Bound::Kind::Variable, which, offset}; }

Span from(Bound first, Bound last, long step = 1) { return {first, last, step, true}; }
Span at(Bound location) { return from(location, location); }
Span some(Span span) {
    span.isExact = false;
    return span;
}
Span of(long extent, Span span) {
    span.extent = extent;
    return span;
}
Span ofVariable(int which, Span span) {
    span.extentVariable = which;
    return span;
}

void expectMeeting(const Span& a, const Span& b, Meeting expected) {
    EXPECT_EQ(meeting(Box{a}, Box{b}), expected);
    EXPECT_EQ(meeting(Box{b}, Box{a}), expected);
}

const Span interior = from(low(1), high(-1)), below = from(low(0), high(-2));

TEST(Box, EndsOfARange) {
    expectMeeting(at(low(0)), at(low(0)), Meeting::Surely);
    expectMeeting(at(low(0)), at(low(1)), Meeting::Never);
    expectMeeting(at(low(0)), at(high(0)), Meeting::Never);   // but for N = 1
    expectMeeting(at(low(0)), at(high(-1)), Meeting::Never);  // .. and 2
    expectMeeting(at(low(100)), at(high(0)), Meeting::Perhaps);
    expectMeeting(interior, below, Meeting::Surely);  // for 1 : n - 2, a[i - 1]
    expectMeeting(interior, at(low(0)), Meeting::Never);
    expectMeeting(interior, at(high(0)), Meeting::Never);
    expectMeeting(at(low(0)), below, Meeting::Surely);
    expectMeeting(at(low(5)), below, Meeting::Perhaps);  // N = 4 runs, too
    expectMeeting(Span::whole(), at(variable(1)), Meeting::Perhaps);
}

TEST(Box, KnownExtents) {
    expectMeeting(of(8, at(low(5))), below, Meeting::Surely);
    expectMeeting(of(4, at(low(3))), below, Meeting::Never);
    expectMeeting(of(1, at(low(0))), at(high(0)), Meeting::Surely);
    expectMeeting(of(200, at(low(199))), at(high(0)), Meeting::Surely);
}

TEST(Box, Variables) {
    expectMeeting(at(variable(1)), at(variable(1)), Meeting::Surely);
    expectMeeting(at(variable(1)), at(variable(1, 2)), Meeting::Never);
    expectMeeting(at(variable(1)), at(variable(2)), Meeting::Perhaps);
    expectMeeting(at(variable(1)), at(low(0)), Meeting::Perhaps);
    expectMeeting(from(low(0), variable(1)), from(low(1), variable(1)), Meeting::Surely);
    expectMeeting(from(low(0), variable(1)), at(variable(1, 1)), Meeting::Never);
    expectMeeting(ofVariable(1, at(low(0))), at(variable(1, -1)), Meeting::Never);  // n - 1
    expectMeeting(ofVariable(1, at(high(0))), at(variable(1, -1)), Meeting::Surely);
}

TEST(Box, Steps) {
    expectMeeting(from(low(1), high(-1), 2), from(low(0), high(-1), 2), Meeting::Never);
    expectMeeting(from(low(1), high(-1), 2), from(low(1), high(-2), 2), Meeting::Surely);
    expectMeeting(from(low(1), high(-1), 2), at(low(4)), Meeting::Never);
    expectMeeting(from(low(0), high(0), 3), from(low(1), high(0), 2), Meeting::Surely);
    expectMeeting(of(9, from(low(0), high(0), 3)), from(low(1), high(0), 2), Meeting::Surely);
}

TEST(Box, BeyondTheEnds) {
    const Span beyond = from(low(-1), high(-1)), above = from(low(1), high(1));
    expectMeeting(at(high(0)), beyond, Meeting::Perhaps);
    expectMeeting(at(low(0)), above, Meeting::Perhaps);
    expectMeeting(at(low(3)), of(8, at(low(8))), Meeting::Perhaps);
    EXPECT_TRUE(mayWrap({interior, beyond}));
    EXPECT_FALSE(mayWrap({interior, below}));
}

TEST(Box, WhatIsNotExact) {
    expectMeeting(some(Span::whole()), at(low(0)), Meeting::Perhaps);
    expectMeeting(some(at(low(0))), at(high(0)), Meeting::Never);
    expectMeeting(Span(), at(low(0)), Meeting::Perhaps);
}

TEST(Box, AllDimensions) {
    EXPECT_EQ(meeting({at(low(0)), Span::whole()}, {at(low(0)), below}), Meeting::Surely);
    EXPECT_EQ(meeting({at(low(0)), Span()}, {at(low(0)), below}), Meeting::Perhaps);
    EXPECT_EQ(meeting({at(low(0)), Span()}, {at(high(0)), below}), Meeting::Never);
    EXPECT_EQ(meeting({at(low(0))}, {at(low(0)), below}), Meeting::Perhaps);
}

TEST(Box, ForOtherFunctions) {
    const Box box = withoutVariables({at(variable(1)), ofVariable(2, at(variable(2, -1)))});
    EXPECT_EQ(meeting(box, {at(variable(1)), at(high(0))}), Meeting::Perhaps);
    EXPECT_EQ(meeting(box, {Span::whole(), at(low(0))}), Meeting::Never);
}

}  // namespace
}  // namespace hpcc::check::halo
