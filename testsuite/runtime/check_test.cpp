// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every error that a program can provoke, with its class, exit code and what its message tells.

#include "pretend.hpp"

namespace hpspmd::test {
namespace {

class Check : public ::testing::Test {
protected:
    Pretend world{6, 4};
    Procs2 p{2, 3};
    detail::Activate in{p};
    ExtBlockRange x{8, p.dim(0), 1, 2};
    BlockRange y{9, p.dim(1)};
    CyclicRange z{9, p.dim(1)};
    Array<double, Dist, Dist> a = create<double>(p, x, y);
    Array<double, Dist, Seq> b = create<double>(p, x, 5);
};

TEST_F(Check, MessagesNameThePlace) {
    const int line = __LINE__ + 2;
    try {
        CollapsedRange(4).location(4);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.name(), "OutOfBounds");
        EXPECT_EQ(error.exitCode(), 82);
        EXPECT_EQ(error.where().line, line);
        EXPECT_TRUE(mentions(error.what(), "check_test.cpp:" + std::to_string(line) + ": "));
        EXPECT_TRUE(mentions(error.what(),
                             "OutOfBounds: location 4 is outside 0 .. 3 of CollapsedRange(4)"));
    }
}

TEST_F(Check, ExitCodesAreTheDocumentedOnes) {
    const auto codeOf = [](const Error& error) { return error.exitCode(); };
    EXPECT_EQ(codeOf(ProcsArrayTooLarge("")), 80);
    EXPECT_EQ(codeOf(GroupNotContained("")), 80);
    EXPECT_EQ(codeOf(DimensionNotInGroup("")), 80);
    EXPECT_EQ(codeOf(ShiftTooWide("")), 81);
    EXPECT_EQ(codeOf(StaleGhosts("")), 81);
    EXPECT_EQ(codeOf(OutOfBounds("")), 82);
    EXPECT_EQ(codeOf(IndexMismatch("")), 82);
    EXPECT_EQ(codeOf(NullArray("")), 82);
    EXPECT_EQ(codeOf(RangeNotCollapsed("")), 82);
    EXPECT_EQ(codeOf(SeveralBlocks("")), 82);
    EXPECT_EQ(codeOf(BadExtent("")), 82);
    EXPECT_EQ(codeOf(AdlibError("")), 83);
    EXPECT_EQ(codeOf(OutOfMemory("")), 84);
    EXPECT_EQ(codeOf(IoError("")), 85);
    EXPECT_EQ(codeOf(MpiError("")), 86);
}

TEST_F(Check, Grids) {
    EXPECT_TRUE(mentions(messageOf<ProcsArrayTooLarge>([] { Procs2(3, 3); }),
                         "3 x 3 asked for, but the active group has 6 processes"));
    EXPECT_THROW(Procs2(Index{1} << 40, Index{1} << 40), ProcsArrayTooLarge);
    EXPECT_TRUE(mentions(messageOf<BadExtent>([] { Procs2(2, 0); }), "2 x 0"));
    EXPECT_THROW(Procs3(1, -1, 1), BadExtent);
    EXPECT_TRUE(mentions(messageOf<BadExtent>([] { Procs<2>({1, 2, 1}); }), "3 extents"));
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { p.dim(2); }), "rank 2"));
    EXPECT_THROW(p.dim(-1), OutOfBounds);
}

TEST_F(Check, Groups) {
    const Group column = p / y[0];
    EXPECT_TRUE(mentions(messageOf<DimensionNotInGroup>([&] { column / y[0]; }), "it already is"));
    const Procs1 other;
    EXPECT_TRUE(
        mentions(messageOf<DimensionNotInGroup>([&] { p / other.dim(0)[1]; }), "another grid"));
    {
        const detail::Activate inside(column);
        EXPECT_TRUE(mentions(
            messageOf<GroupNotContained>([&] { detail::On on(p); }),
            "the grid (2 x 3) is not contained in the active group, the grid (2 x 3) / (*, 0)"));
        EXPECT_TRUE(
            mentions(messageOf<GroupNotContained>([&] { create<double>(p, 4); }), "a new array"));
    }
    const detail::Active i(x.dim());
    EXPECT_TRUE(mentions(messageOf<DimensionNotInGroup>([&] { detail::Active again(x.dim()); }),
                         "already restricted in dimension 0"));
    EXPECT_TRUE(
        mentions(messageOf<DimensionNotInGroup>([&] { detail::Active wrong(other.dim(0)); }),
                 "nothing to do with dimension 0 of the grid (6)"));
    Group none;
    EXPECT_THROW(none.size(), NullArray);
    EXPECT_THROW(none.contains(p), NullArray);
}

TEST_F(Check, Extents) {
    const Dimension d = p.dim(0);
    EXPECT_TRUE(
        mentions(messageOf<BadExtent>([&] { BlockRange(-1, d); }), "BlockRange of extent -1"));
    EXPECT_THROW(ExtBlockRange(4, d, -1, 0), BadExtent);
    EXPECT_THROW(ExtBlockRange(4, d, 0, -1), BadExtent);
    EXPECT_THROW(CyclicRange(-7, d), BadExtent);
    EXPECT_THROW(BlockCyclicRange(4, d, 0), BadExtent);
    EXPECT_THROW(BlockCyclicRange(-4, d, 1), BadExtent);
    EXPECT_THROW(CollapsedRange(-1), BadExtent);
    EXPECT_TRUE(mentions(messageOf<BadExtent>([&] { IrregRange({3}, d); }),
                         "1 sizes over a dimension of 2"));
    EXPECT_THROW(IrregRange({3, -1}, d), BadExtent);
    EXPECT_THROW(IrregRange(std::vector<unsigned long>{~0ul, 1}, d), BadExtent);
    EXPECT_TRUE(
        mentions(messageOf<BadExtent>([&] { BlockRange((Index{1} << 60) + 1, d); }), "too large"));
    EXPECT_THROW(create<double>(p, -3), BadExtent);
    EXPECT_TRUE(
        mentions(messageOf<BadExtent>([&] { create<char>(p, Index{1} << 40, Index{1} << 40); }),
                 "overflows"));
    EXPECT_THROW((create<std::array<char, 4096>>(p, Index{1} << 55)), BadExtent);
    EXPECT_TRUE(
        mentions(messageOf<OutOfMemory>([&] { create<double>(p, Index{1} << 50); }), "8 PiB"));
}

TEST_F(Check, NewArrays) {
    EXPECT_TRUE(mentions(
        messageOf<DimensionNotInGroup>([&] { create<double>(p, y, z); }),
        "ranges 0 and 1 of a new array use the same process dimension: BlockRange(9, P=3) and "
        "CyclicRange(9, P=3)"));
    EXPECT_TRUE(mentions(messageOf<DimensionNotInGroup>([&] { create<double>(p / x[0], x); }),
                         "ExtBlockRange(8, P=2, 1, 2)"));
    EXPECT_THROW(create<double>(p / x[0], y.subrange(1, 2), x.subrange(1, 2)), DimensionNotInGroup);
}

TEST_F(Check, LocationsTripletsAndBlocks) {
    EXPECT_THROW(x[-1], OutOfBounds);
    EXPECT_THROW(x[8], OutOfBounds);
    EXPECT_TRUE(mentions(
        messageOf<OutOfBounds>([&] { x.localBlocks(1, 8); }),
        "the triplet 1 : 8 : 1 leaves the locations 0 .. 7 of ExtBlockRange(8, P=2, 1, 2)"));
    EXPECT_THROW(x.localBlocks(-1, 5), OutOfBounds);
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { x.subrange(0, 5, 0); }), "step 0"));
    EXPECT_THROW(x.blocks(2), OutOfBounds);
    const BlockCyclicRange c(20, p.dim(0), 2);
    EXPECT_TRUE(mentions(messageOf<SeveralBlocks>([&] { c.localBlock(); }), "holds 5 blocks"));
    EXPECT_EQ(c.localBlock(2, 3).count, 2);
    const Range none;
    EXPECT_THROW(none.size(), NullArray);
}

TEST_F(Check, Sections) {
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { section(b, Triplet(), 5); }),
                         "subscript 1 is 5, outside 0 .. 4"));
    EXPECT_THROW(section(b, Triplet(), -1), OutOfBounds);
    EXPECT_THROW(section(b, 8, Triplet()), OutOfBounds);
    EXPECT_THROW(section(b, Triplet(), Triplet(2, 5)), OutOfBounds);
    const DistributedIndex i(x, x[6]);
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] { section(a, Triplet(), i); }),
                         "subscript 1 of a section"));
    EXPECT_THROW(section(a, i + 3, Triplet()), ShiftTooWide);
    EXPECT_TRUE(mentions(messageOf<RangeNotCollapsed>(
                             [&] { static_cast<void>(static_cast<Array<double, Dist, Seq>>(a)); }),
                         "dimension 1 of the array is BlockRange(9, P=3)"));
}

TEST_F(Check, SectionsKnowTheirLine) {
    const int line = __LINE__ + 1;
    const std::string scalar = messageOf<OutOfBounds>([&] { detail::Section()(b, 8, 1); });
    EXPECT_TRUE(mentions(scalar, "check_test.cpp:" + std::to_string(line)));
    const std::string triplet = messageOf<OutOfBounds>([&] { section(b, Triplet(0, 9), 1); });
    EXPECT_TRUE(mentions(triplet, "check_test.cpp:" + std::to_string(line + 2)));
}

TEST_F(Check, NestEntryIndices) {
    using detail::over;
    detail::check(a, "a", {over(x, -1, 2), over(y)});
    detail::check(b, "b", {over(x.subrange(1, 6)), detail::unchecked});
    EXPECT_TRUE(mentions(messageOf<IndexMismatch>([&] {
                             detail::check(a, "a", {over(x), over(z)});
                         }),
                         "an index over CyclicRange(9, P=3) does not fit dimension 1 of a, which "
                         "is BlockRange(9, P=3)"));
    EXPECT_TRUE(mentions(messageOf<ShiftTooWide>([&] {
                             detail::check(a, "a", {over(x, -2, 0), over(y)});
                         }),
                         "an index shifted by -2 leaves the ghost region of dimension 0 of a, "
                         "ExtBlockRange(8, P=2, 1, 2), which has 1 ghost cells below and 2 above"));
    EXPECT_THROW(detail::check(a, "a", {over(x, 0, 3), over(y)}), ShiftTooWide);
    EXPECT_THROW(detail::check(a, "a", {over(x), over(y, 0, 1)}), ShiftTooWide);
    EXPECT_THROW(detail::check(a, "a", {over(x)}), IndexMismatch);
    Array<double, Dist> null;
    EXPECT_TRUE(mentions(messageOf<NullArray>([&] { detail::check(null, "null", {over(x)}); }),
                         "null was never assigned"));
}

TEST_F(Check, AccessesUnderAConditionAreOnlyAsked) {
    using detail::over;
    EXPECT_TRUE(detail::passes(a, {over(x, -1, 2), over(y)}));
    EXPECT_FALSE(detail::passes(a, {over(x, -2, 0), over(y)}));
    EXPECT_FALSE(detail::passes(a, {over(x), over(z)}));
    EXPECT_FALSE(detail::passes(section(a, 0, Triplet()), {over(y)}));
    EXPECT_FALSE(detail::passes(Array<double, Dist>(), {over(x)}));
}

TEST_F(Check, ShiftsCountLocationsOfTheIndexRange) {
    const Range even = x.subrange(0, 6, 2), reversed = x.subrange(7, 0, -1);
    detail::check(b, "b", {detail::over(even, 0, 1), detail::unchecked});
    EXPECT_THROW(detail::check(b, "b", {detail::over(even, -1, 0), detail::unchecked}),
                 ShiftTooWide);
    detail::check(b, "b", {detail::over(reversed, -2, 1), detail::unchecked});
    EXPECT_THROW(detail::check(b, "b", {detail::over(reversed, 0, 2), detail::unchecked}),
                 ShiftTooWide);
    EXPECT_THROW(
        detail::check(
            b, "b", {detail::over(even, std::numeric_limits<Index>::max() - 1), detail::unchecked}),
        ShiftTooWide);
}

TEST_F(Check, NestEntryGroups) {
    using detail::over;
    const auto row = section(a, 0, Triplet()),
               own = section(a, 7, Triplet());  // this process has coordinate 1
    EXPECT_TRUE(
        mentions(messageOf<GroupNotContained>([&] { detail::check(row, "row", {over(y)}); }),
                 "row lies on the grid (2 x 3) / (0, *), which does not contain the active group "
                 "at the access"));
    EXPECT_THROW(detail::check(own, "own", {over(y)}), GroupNotContained);
    detail::check(own, "own", {over(y)}, {x});
    EXPECT_THROW(detail::check(row, "row", {over(y)}, {x}), GroupNotContained);
    detail::check(row, "row", {over(y)}, {over(x, Triplet(0, 0))});  // no iteration here
    {
        const detail::Active i(x.dim());
        detail::check(own, "own", {over(y)});
        EXPECT_THROW(detail::check(row, "row", {over(y)}), GroupNotContained);
    }
    const Procs1 everybody, pair(2);
    const auto elsewhere = create<double>(everybody, BlockRange(6, everybody.dim(0)));
    EXPECT_EQ(apg(), p);
    detail::check(create<double>(everybody), "c", {});
    EXPECT_THROW(detail::check(create<double>(pair), "d", {}), GroupNotContained);
}

TEST_F(Check, ChecksInside) {
    EXPECT_EQ(detail::bounded(4, b, 1), 4);
    EXPECT_TRUE(mentions(messageOf<OutOfBounds>([&] { detail::bounded(5, b, 1); }),
                         "subscript 1 is 5, outside 0 .. 4"));
    EXPECT_THROW(detail::bounded(-1, b, 1), OutOfBounds);
    EXPECT_THROW(detail::bounded(~0ul, b, 1), OutOfBounds);
    EXPECT_EQ(detail::shifted(-1, a, 0), -1);
    EXPECT_EQ(detail::shifted(2, a, 0), 2);
    EXPECT_THROW(detail::shifted(3, a, 0), ShiftTooWide);
    EXPECT_THROW(detail::shifted(1, a, 1), ShiftTooWide);
    const Range even = x.subrange(0, 6, 2);
    EXPECT_THROW(detail::shifted(-1, a, 0, DistributedIndex(even, even[2])), ShiftTooWide);
}

TEST_F(Check, ElementsOfUnknownType) {
    const DistributedIndex i(x, x[6]), j(y, y[4]), k(z, z[4]);
    const detail::Active atI(x.dim()), atJ(y.dim());
    detail::element(a, i, j) = 3;
    EXPECT_EQ(a.data()[a.stride(0) * i.sub + j.sub], 3);
    EXPECT_EQ(&detail::element(a, i + 1, j), &detail::element(a, i, j) + a.stride(0));
    detail::Element()(b, i - 1, 4) = 2;
    EXPECT_THROW(detail::element(b, i, 5), OutOfBounds);
    EXPECT_THROW(detail::element(a, i, k), IndexMismatch);
    EXPECT_THROW(detail::element(a, i, j + 1), ShiftTooWide);
    const auto far = section(a, 0, Triplet());
    EXPECT_THROW(detail::element(far, j), GroupNotContained);
    const Array<double, Dist> null;
    EXPECT_TRUE(
        mentions(messageOf<NullArray>([&] { detail::Element()(null, i); }), "check_test.cpp"));
    const Array<const double, Dist, Dist> constant = a;
    EXPECT_EQ(detail::element(constant, i, j), 3);
}

}  // namespace
}  // namespace hpspmd::test
