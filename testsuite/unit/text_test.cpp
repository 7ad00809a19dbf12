// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "source/span.hpp"

namespace hpcc::source {
namespace {

TEST(Text, PositionsCountFromOne) {
    const Text text("f.hpcpp", "ab\nc\n");
    EXPECT_EQ(text.position(0).line, 1u);
    EXPECT_EQ(text.position(0).column, 1u);
    EXPECT_EQ(text.position(3).line, 2u);
    EXPECT_EQ(text.position(3).column, 1u);
    EXPECT_EQ(text.position(99).line, 3u);
}

TEST(Text, LinesComeWithoutTheirEnd) {
    const Text text("f.hpcpp", "ab\r\nc");
    EXPECT_EQ(text.line(1), "ab");
    EXPECT_EQ(text.line(2), "c");
    EXPECT_EQ(text.line(0), "");
    EXPECT_EQ(text.line(3), "");
}

TEST(Text, AnEmptyTextHasOneLine) {
    const Text text("f.hpcpp", "");
    EXPECT_EQ(text.lineCount(), 1u);
    EXPECT_EQ(text.line(1), "");
}

TEST(Text, ProtectedMeansStrictlyInside) {
    const Text text("f.hpcpp", "x /* a\nb */ y");
    text.setProtectedRanges({{2, 11}});
    EXPECT_FALSE(text.isProtected(2));
    EXPECT_TRUE(text.isProtected(7));
    EXPECT_FALSE(text.isProtected(11));
}

TEST(Span, KnowsItsText) {
    const Text text("f.hpcpp", "one two");
    const Span span{&text, 4, 7};
    EXPECT_EQ(span.str(), "two");
    EXPECT_EQ(behind(span).begin, 7u);
    EXPECT_TRUE((Span{&text, 0, 7}).contains(span));
    EXPECT_EQ(Span().str(), "");
}

TEST(ReadFile, GivesNothingForAFolderOrAMissingFile) {
    EXPECT_EQ(readFile("."), nullptr);
    EXPECT_EQ(readFile("no such file.hpcpp"), nullptr);
}

}  // namespace
}  // namespace hpcc::source
