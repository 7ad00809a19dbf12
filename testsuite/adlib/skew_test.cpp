// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// skew and cskew as programs call them; moves_test.cpp compares generated cases with an oracle.

#include <gtest/gtest.h>

#include <hpspmd>
#include <limits>
#include <vector>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

/// The rows 0 10 20 30 40 and 100 110 .. and so on, three of them, distributed by columns.
class Skews : public testing::Test {
protected:
    Skews() {
        for (const Block b : x.localBlocks())
            for (Index k = 0; k < b.count; ++k)
                for (Index row = 0; row < 3; ++row)
                    at(source, row, b.localBase + k) =
                        100 * static_cast<int>(row) + 10 * static_cast<int>(b.globalBase + k);
        for (short row = 0; row < 3; ++row) shifts.data()[row] = row;
    }

    static int& at(const Array<int, Seq, Dist>& a, Index row, Index sub) {
        return a.data()[a.stride(0) * row + a.stride(1) * sub];
    }
    void expectRow(Index row, const std::array<int, 5>& values) {
        for (const Block b : x.localBlocks())
            for (Index k = 0; k < b.count; ++k)
                EXPECT_EQ(at(result, row, b.localBase + k),
                          values[static_cast<std::size_t>(b.globalBase + k)]);
    }

    Procs1 p;
    BlockRange x{5, p.dim(0)};
    Array<int, Seq, Dist> source = create<int>(p, 3, x), result = create<int>(p, 3, x);
    Array<short, Seq> shifts = create<short>(p, 3);
};

TEST_F(Skews, MoveEachRowByItsOwnAmount) {
    Adlib::skew(result, source, shifts, 1);
    expectRow(0, {0, 10, 20, 30, 40});
    expectRow(1, {110, 120, 130, 140, 0});
    expectRow(2, {220, 230, 240, 0, 0});
    Adlib::cskew(result, source, shifts, 1);
    expectRow(1, {110, 120, 130, 140, 100});
    expectRow(2, {220, 230, 240, 200, 210});
}

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

/// Amounts as far as an Index goes: beyond both ends, and with each remainder.
std::vector<Index> amountsAtTheEnds() {
    std::vector<Index> amounts = {most / 2, least / 2, 5, -5, 4, -4};
    for (Index k = 0; k < 7; ++k) amounts.insert(amounts.end(), {most - k, least + k});
    return amounts;
}

TEST_F(Skews, AmountsMayBeAsLargeAsAnIndex) {
    const auto wide = create<Index>(p, 3);
    for (const Index amount : amountsAtTheEnds()) {
        SCOPED_TRACE(amount);
        std::array<int, 5> kept, wrapped;
        for (int k = 0; k < 5; ++k) {
            const int from = static_cast<int>((k + (amount % 5 + 5)) % 5);
            wrapped[k] = 100 + 10 * from;
            kept[k] = amount == 4 && k == 0 ? 140 : amount == -4 && k == 4 ? 100 : 7;
        }
        for (int row = 0; row < 3; ++row) wide.data()[row] = amount;
        for (const bool isSkew : {false, true}) {
            for (const Block b : x.localBlocks())
                for (Index k = 0; k < b.count; ++k) at(result, 1, b.localBase + k) = 7;
            isSkew ? Adlib::skew(result, source, wide, 1) : Adlib::shift(result, source, amount, 1);
            expectRow(1, kept);
            isSkew ? Adlib::cskew(result, source, wide, 1)
                   : Adlib::cshift(result, source, amount, 1);
            expectRow(1, wrapped);
        }
    }
}

TEST_F(Skews, AmountsBeyondAnIndexAreAnError) {
    const auto wide = create<unsigned long>(p, 3);
    for (int row = 0; row < 3; ++row) wide.data()[row] = static_cast<unsigned long>(most);
    Adlib::cskew(result, source, wide, 1);
    for (int row = 0; row < 3; ++row) wide.data()[row] = static_cast<unsigned long>(most) + 1;
    EXPECT_MESSAGE(Adlib::skew(result, source, wide, 1),
                   "an element of the array of shifts is 9223372036854775808, more than the "
                   "largest Index");
}

TEST_F(Skews, ACallFollowsItsAmounts) {
    for (const short amount : {1, 1, 2, 0, 2}) {
        shifts.data()[1] = amount;
        Adlib::cskew(result, source, shifts, 1);
        std::array<int, 5> expected;
        for (int k = 0; k < 5; ++k) expected[k] = 100 + 10 * ((k + amount) % 5);
        expectRow(1, expected);
        expectRow(2, {220, 230, 240, 200, 210});
    }
    const auto wide = create<int>(p, 3);  // the same layout, other integers
    for (int row = 0; row < 3; ++row) wide.data()[row] = 3;
    Adlib::cskew(result, source, wide, 1);
    expectRow(1, {130, 140, 100, 110, 120});
}

TEST_F(Skews, AScheduleKeepsItsAmounts) {
    Adlib::Cskew schedule(result, source, shifts, 1);
    for (short row = 0; row < 3; ++row) shifts.data()[row] = 0;
    schedule.execute();
    expectRow(1, {110, 120, 130, 140, 100});
    Adlib::Skew none(result, source, shifts, 1);
    none.start();
    none.finish();
    expectRow(2, {200, 210, 220, 230, 240});
}

TEST_F(Skews, DemandShiftsAlignedWithTheOtherDimensions) {
    EXPECT_MESSAGE(Adlib::skew(result, source, shifts, 2), "skew: dimension 2 does not exist");
    EXPECT_MESSAGE(Adlib::cskew(result, source, create<int>(p, 4), 1),
                   "cskew: the arrays are not aligned: the array of shifts is CollapsedRange(4)");
    EXPECT_MESSAGE(Adlib::Skew(result, source, create<int>(p, x), 1), "Skew: the arrays are not");
}

}  // namespace
}  // namespace hpspmd::test
