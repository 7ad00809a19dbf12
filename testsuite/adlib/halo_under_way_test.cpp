// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exchanges of ghost cells beside a nest, in plain C++: the parts of a nest, and what errors
/// leave.

#include <gtest/gtest.h>

#include <hpspmd>

#include <stdexcept>

#include "schedule/trial.hpp"

namespace hpspmd::test {
namespace {

using detail::HaloUnderWay;
using detail::Margin;
using detail::NestParts;

class HaloUnderWays : public testing::Test {
protected:
    HaloUnderWays() { detail::setOverlapping(detail::Overlapping::Always); }
    ~HaloUnderWays() override { detail::setOverlapping(detail::Overlapping::Measured); }
};

/// True if `low` elements of the block lie below i, and `high` above, or the range is not split.
bool isInside(const detail::Run& run, Index i, Index low, Index high) {
    return !run.isSplit() || (i >= run.lowest() + low && i <= run.highest() - high);
}

/// How often the parts of x[l : u : s] by y hold each element, by local subscripts.
void expectEachOnce(const Array<double, Dist, Dist>& a, const detail::Run& rows,
                    const detail::Run& columns, Index low, Index high, Index step) {
    const Array<double, Dist, Dist> visits = clone(a);
    const Index rowStride = visits.stride(0);
    for (Index i = rows.first; i <= rows.last; i += step)
        for (Index j = columns.first; j <= columns.last; ++j) visits.data()[rowStride * i + j] = -1;
    HaloUnderWay halo(a);
    NestParts parts(halo, true, Margin(rows, low, high, step), Margin(columns, low, high));
    while (parts.next())
        for (Index i = parts[0].first; i <= parts[0].last; i += step)
            for (Index j = parts[1].first; j <= parts[1].last; ++j) {
                if (halo.isUnderWay()) {
                    EXPECT_TRUE(isInside(rows, i, low, high));
                    EXPECT_TRUE(isInside(columns, j, low, high));
                }
                visits.data()[rowStride * i + j] += 1;
            }
    EXPECT_FALSE(halo.isUnderWay());
    for (Index i = rows.first; i <= rows.last; i += step)
        for (Index j = columns.first; j <= columns.last; ++j)
            EXPECT_EQ(visits.data()[rowStride * i + j], 0) << i << ", " << j;
}

TEST_F(HaloUnderWays, PartsHoldEachElementOnce) {
    Procs2 p;
    for (const Index n : {1, 2, 5, 12, 40})
        for (const Index m : {1, 3, 17}) {
            const ExtBlockRange x(n, p.dim(0), 2, 2), y(m, p.dim(1), 2, 2);
            const auto a = create<double>(p, x, y);
            for (const Index step : {1, 2, 3})
                for (const Index low : {0, 1, 2})
                    for (const Index high : {0, 2}) {
                        const detail::Run rows(x, n > 4 ? 1 : 0, n - 1, step), columns(y);
                        expectEachOnce(a, rows, columns, low, high, step);
                    }
        }
}

TEST_F(HaloUnderWays, WhatIsSentChangesBehindTheExchange) {
    Procs1 p;
    const ExtBlockRange x(24, p.dim(0), 1, 3);  // sends three elements downwards, one upwards
    const auto a = create<double>(p, x);
    const detail::Run run(x), whole(x);
    Index count = 0;
    HaloUnderWay halo(a);
    NestParts parts(halo, true, Margin(run, 0, 0).sending(x));
    while (parts.next()) {
        const detail::Run part = parts[0].part(0, detail::none, 2);
        for (Index i = part.first; i <= part.last; i += 2, ++count) {
            EXPECT_EQ(run.global(i) % 2, 0);
            EXPECT_TRUE(i >= parts[0].first && i <= parts[0].last);
            if (halo.isUnderWay()) {
                EXPECT_TRUE(isInside(run, i, 3, 1));
            }
        }
    }
    const detail::Run all = whole.part(0, detail::none, 2);
    EXPECT_EQ(count, (all.last - all.first + 2) / 2);
}

TEST_F(HaloUnderWays, AnErrorInTheNestLeavesNoMessageBehind) {
    Procs1 p;
    const ExtBlockRange x(20, p.dim(0), 1, 1);
    const auto a = create<double>(p, x), b = create<double>(p, x);
    for (int round = 0; round < 3; ++round) {
        EXPECT_THROW(
            {
                HaloUnderWay halo(a);
                throw std::runtime_error("in the nest");
            },
            std::runtime_error);
        Adlib::writeHalo(b);
        EXPECT_EQ(Adlib::sum(b), 0);
    }
}

TEST_F(HaloUnderWays, WhereNothingIsMeasuredTheExchangeIsComplete) {
    detail::setOverlapping(detail::Overlapping::Never);
    Procs1 p;
    const ExtBlockRange x(20, p.dim(0), 1, 1);
    HaloUnderWay halo(create<double>(p, x));
    EXPECT_FALSE(halo.isUnderWay());
}

}  // namespace
}  // namespace hpspmd::test
