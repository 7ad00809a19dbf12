// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Messages of every way that a sender can choose (transport/link_traffic.hpp), and schedules that
/// are finished in another order than they were started, more of them than a channel is deep.

#include <gtest/gtest.h>

#include <hpspmd>
#include <memory>
#include <vector>

namespace hpspmd::test {
namespace {

using Vector = Array<double, Dist>;

void fill(const Vector& a, double first) {
    const Block b = a.rng(0).localBlock();
    for (Index k = 0; k < b.count; ++k)
        a.data()[b.localBase + k] = first + static_cast<double>(b.globalBase + k);
}

/// True if a[x] = first + (x + amount) mod n everywhere here.
bool isShifted(const Vector& a, double first, Index amount) {
    const Index n = a.size(0);
    const Block b = a.rng(0).localBlock();
    for (Index k = 0; k < b.count; ++k) {
        const Index source = (b.globalBase + k + amount) % n;
        if (a.data()[b.localBase + k] != first + static_cast<double>(source)) return false;
    }
    return true;
}

class Ways : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(Ways, ContiguousMessages) {
    const auto [perProcess, amount] = GetParam();
    const Procs1 p;
    const BlockRange x(perProcess * p.size(), p.dim(0));
    const Vector a = create<double>(p, x), b = create<double>(p, x);
    for (int round = 0; round < 6; ++round) {
        fill(a, round);
        Adlib::cshift(b, a, amount);
        EXPECT_TRUE(isShifted(b, round, amount)) << perProcess << ", " << amount;
    }
}

// Elements per process, and of the message: in the slot, copied, read in place; from private
// memory: copied, in place.
INSTANTIATE_TEST_SUITE_P(Links, Ways,
                         testing::Values(std::pair<Index, Index>{100, 5}, std::pair{5000, 700},
                                         std::pair{200'000, 150'000}, std::pair{600'000, 50'000},
                                         std::pair{600'000, 400'000}));

TEST(Links, LongPackedMessages) {
    const Procs1 p;
    const BlockRange x(800 * p.size(), p.dim(0));
    const auto rows = create<int>(p, x, 800 * p.size());
    const auto columns = create<int>(p, 800 * p.size(), x);
    const Block b = x.localBlock();
    for (Index i = 0; i < b.count; ++i)
        for (Index j = 0; j < rows.size(1); ++j)
            rows.data()[rows.stride(0) * (b.localBase + i) + rows.stride(1) * j] =
                static_cast<int>((b.globalBase + i) * 10'000 + j);
    Adlib::remap(columns, rows);
    bool right = true;
    for (Index i = 0; i < columns.size(0); ++i)
        for (Index j = 0; j < b.count; ++j)
            right &=
                columns.data()[columns.stride(0) * i + columns.stride(1) * (b.localBase + j)] ==
                i * 10'000 + b.globalBase + j;
    EXPECT_TRUE(right);
}

TEST(Links, ManySchedulesFinishedBackwards) {
    for (const Index perProcess : {3, 500, 3000}) {
        const Procs1 p;
        const BlockRange x(perProcess * p.size(), p.dim(0));
        constexpr int count = 7;
        std::vector<Vector> from, to;
        std::vector<std::unique_ptr<Adlib::Cshift<Vector, Vector>>> schedules;
        for (int k = 0; k < count; ++k) {
            from.push_back(create<double>(p, x));
            to.push_back(create<double>(p, x));
            fill(from[static_cast<std::size_t>(k)], k);
            schedules.push_back(std::make_unique<Adlib::Cshift<Vector, Vector>>(
                to.back(), from.back(), perProcess));
        }
        for (int round = 0; round < 3; ++round) {
            for (const auto& schedule : schedules) schedule->start();
            for (std::size_t k = count; k-- > 0;) {
                schedules[k]->finish();
                EXPECT_TRUE(isShifted(to[k], static_cast<double>(k), perProcess));
            }
        }
    }
}

TEST(Links, OneScheduleSeveralTimesUnderWay) {
    const Procs1 p;
    const BlockRange x(700 * p.size(), p.dim(0));
    std::vector<Vector> from, to;
    for (int k = 0; k < 3; ++k) {
        from.push_back(create<double>(p, x));
        to.push_back(create<double>(p, x));
        fill(from.back(), k);
    }
    Adlib::Cshift shift(to[0], from[0], 600);
    for (int round = 0; round < 3; ++round) {
        for (std::size_t k = 0; k < 3; ++k) shift.start(to[k], from[k]);
        for (std::size_t k = 0; k < 3; ++k) {
            shift.finish();
            EXPECT_TRUE(isShifted(to[k], static_cast<double>(k), 600));
        }
        EXPECT_THROW(shift.finish(), AdlibError);
    }
}

}  // namespace
}  // namespace hpspmd::test
