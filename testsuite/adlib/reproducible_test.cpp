// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reproducible sums under MPI: the bits that one process gets from the same numbers, for every
/// process grid and distribution. Each process can compute those alone.

#include <gtest/gtest.h>

#include <cmath>
#include <hpspmd>

#include "cases.hpp"
#include "typed.hpp"

namespace hpspmd::test {
namespace {

/// Numbers of widely differing size that cancel for the most part; now and then subnormal ones, and
/// near the largest.
struct Numbers {
    std::uint64_t seed;
    Indices shape;

    double at(const Indices& index) const {
        const auto position = static_cast<std::uint64_t>(valueOf(index, shape));
        Noise noise(seed * 1000 + position / 2);
        const double mantissa = static_cast<double>(noise.next() >> 11) * 0x1p-53;
        const int spread = seed % 4 == 0 ? 2040 : 120;
        int exponent =
            static_cast<int>(noise.below(spread)) - spread / 2 - (seed % 4 == 1 ? 1020 : 0);
        const double sign = position % 2 == 0 ? 1 : -1;
        return sign * std::ldexp(mantissa, exponent) *
               (1 + 0x1p-50 * static_cast<double>(position));
    }
    bool masked(const Indices& index) const { return valueOf(index, shape) % 3 != 0; }
};

template <class T>
bool haveSameBits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The sum over all indices that `takes` selects, by one process.
template <class Takes, class Term>
double expectedSum(const Indices& shape, const Takes& takes, const Term& term) {
    detail::BinnedSum<double> sum;
    forEachIndex(shape, [&](const Indices& index) {
        if (takes(index)) sum.add(term(index));
    });
    return sum.value();
}

template <std::size_t R>
void runCase(Random& random, const Group& grid) {
    const Numbers numbers{random.seed(), randomShape(random, static_cast<int>(R))};
    const TestArray layout = randomArray(random, grid, numbers.shape, false);
    const TestArray other = alignedArray(layout);
    SCOPED_TRACE("seed " + std::to_string(numbers.seed) + ": " + describe(layout));
    const auto a = typed<double, R>(layout), prefixes = typed<double, R>(other);
    const auto mask = typed<bool, R>(other);
    forEachHeld(layout, numbers.shape, a.data(),
                [&](const Indices& i, double& element) { element = numbers.at(i); });
    forEachHeld(other, numbers.shape, mask.data(),
                [&](const Indices& i, bool& element) { element = numbers.masked(i); });

    const auto all = [](const Indices&) { return true; };
    const auto masked = [&](const Indices& i) { return numbers.masked(i); };
    const auto term = [&](const Indices& i) { return numbers.at(i); };
    const auto square = [&](const Indices& i) { return numbers.at(i) * numbers.at(i); };
    const Adlib::Reproducible tag = Adlib::reproducible;
    EXPECT_TRUE(haveSameBits(Adlib::sum(tag, a), expectedSum(numbers.shape, all, term)));
    EXPECT_TRUE(haveSameBits(Adlib::sum(tag, a, mask), expectedSum(numbers.shape, masked, term)));
    EXPECT_TRUE(
        haveSameBits(Adlib::dotProduct(tag, a, a), expectedSum(numbers.shape, all, square)));
    EXPECT_TRUE(haveSameBits(Adlib::dotProduct(tag, a, a, mask),
                             expectedSum(numbers.shape, masked, square)));

    if constexpr (R > 0) {
        for (int d = 0; d < static_cast<int>(R); ++d) {
            const auto axis = static_cast<std::size_t>(d);
            const TestArray line = alignedWithout(layout, d);
            const auto sums = typed<double, R - 1>(line);
            Adlib::sumDim(tag, sums, a, d);
            Indices shape = numbers.shape;
            shape.erase(shape.begin() + d);
            forEachHeld(line, shape, sums.data(), [&](const Indices& index, double& sum) {
                const auto onLine = [&](Indices full) {
                    full.erase(full.begin() + d);
                    return full == index;
                };
                EXPECT_TRUE(haveSameBits(sum, expectedSum(numbers.shape, onLine, term)));
            });
            Adlib::scan(tag, prefixes, a, d);
            forEachHeld(other, numbers.shape, prefixes.data(), [&](Indices index, double& prefix) {
                detail::BinnedSum<double> expected;
                const Index last = index[axis];
                for (index[axis] = 0; index[axis] <= last; ++index[axis])
                    expected.add(numbers.at(index));
                EXPECT_TRUE(haveSameBits(prefix, expected.value()));
            });
        }
    }
}

TEST(Reproducible, GeneratedArraysGiveTheBitsOfOneProcess) {
    forLiveCases(80, [](Random& random) {
        const Group grid = randomGrid(random, apg().size());
        switch (random.below(3)) {
        case 0:
            return runCase<0>(random, grid);
        case 1:
            return runCase<1>(random, grid);
        default:
            return runCase<2>(random, grid);
        }
    });
}

TEST(Reproducible, ValuesExpressionsAndOtherTypes) {
    const double mine = apg().rank() == 0 ? 1e16 : 1;
    detail::BinnedSum<double> expected;
    for (int k = 0; k < apg().size(); ++k) expected.add(k == 0 ? 1e16 : 1);
    EXPECT_TRUE(haveSameBits(Adlib::sum(Adlib::reproducible, mine), expected.value()));
    EXPECT_EQ(Adlib::sum(Adlib::reproducible, 1), apg().size());

    const Procs1 p;
    const detail::On on(p);
    const CyclicRange x(1000, p.dim(0));
    const auto terms = detail::overall(x, Triplet(), [](const DistributedIndex& i) {
        return 1 / static_cast<double>(i.global + 1);
    });
    detail::BinnedSum<double> harmonic;
    for (int k = 1; k <= 1000; ++k) harmonic.add(1.0 / k);
    EXPECT_TRUE(haveSameBits(Adlib::sum(Adlib::reproducible, terms), harmonic.value()));

    const auto z = create<std::complex<float>>(p, x);
    for (Index k = 0; k < x.localBlock().count; ++k) z.data()[k] = {0.1F, 1e6F};
    detail::BinnedSum<std::complex<float>> total;
    for (int k = 0; k < 1000; ++k) total.add({0.1F, 1e6F});
    EXPECT_TRUE(haveSameBits(Adlib::sum(Adlib::reproducible, z), total.value()));
}

TEST(Reproducible, TheSwitchHoldsForPlainCallsAndSchedules) {
    const Procs1 p;
    const CyclicRange x(1001, p.dim(0));
    const auto a = create<double>(p, x), prefix = create<double>(p, x);
    const auto value = [](Index n) {
        return (n % 2 == 0 ? 1 : -1) * 1e10 / static_cast<double>(n + 1);
    };
    detail::BinnedSum<double> expected, squares;
    for (Index n = 0; n < 1001; ++n) {
        expected.add(value(n));
        squares.add(value(n) * value(n));
    }
    const Block own = x.localBlock();
    for (Index k = 0; k < own.count; ++k)
        a.data()[own.localBase + k * own.localStep] = value(own.globalBase + k * own.globalStep);
    const auto result = create<double>(p);
    Adlib::setReproducible(true);
    EXPECT_TRUE(haveSameBits(Adlib::sum(a), expected.value()));
    EXPECT_TRUE(haveSameBits(Adlib::Sum(a).execute(), expected.value()));
    EXPECT_TRUE(haveSameBits(Adlib::dotProduct(a, a), squares.value()));
    EXPECT_TRUE(haveSameBits(Adlib::DotProduct(a, a).execute(), squares.value()));
    Adlib::sumDim(result, a, 0);
    EXPECT_TRUE(haveSameBits(result.data()[0], expected.value()));
    result.data()[0] = 0;
    Adlib::SumDim(result, a, 0).execute();
    EXPECT_TRUE(haveSameBits(result.data()[0], expected.value()));
    Adlib::dotProductDim(result, a, a, 0);
    EXPECT_TRUE(haveSameBits(result.data()[0], squares.value()));
    Adlib::scan(prefix, a, std::plus<>());
    for (Index k = 0; k < own.count; ++k) {
        if (own.globalBase + k * own.globalStep != 1000) continue;
        EXPECT_TRUE(
            haveSameBits(prefix.data()[own.localBase + k * own.localStep], expected.value()));
    }
    Adlib::setReproducible(false);
}

/// Between the halves of a reproducible sum its first messages travel: what is reduced may change.
TEST(Reproducible, SumsAlongADimensionAreReadByStart) {
    const Procs1 p;
    const ExtBlockRange rows(2 * p.size(), p.dim(0));
    const auto a = create<double>(p, rows, 40), b = like(a);
    const auto sums = create<double>(p, 40), dots = like(sums), other = like(sums);
    const auto set = [](const auto& array, double value) {
        for (Index i = 0; i < 2; ++i)
            for (Index j = 0; j < 40; ++j) array.data()[i * array.stride(0) + j] = value;
    };
    Adlib::SumDim sum(sums, a, 0);
    Adlib::DotProductDim dot(dots, a, b, 0);
    Adlib::setReproducible(true);
    for (int round = 0; round < 2; ++round) {
        set(a, 3);
        set(b, 5);
        dot.start();
        sum.start(other, b);
        set(a, 0);
        set(b, 0);
        sum.finish();
        dot.finish();
        for (Index k = 0; k < 40; ++k) {
            EXPECT_EQ(other.data()[k], 10.0 * p.size());
            EXPECT_EQ(dots.data()[k], 30.0 * p.size());
        }
    }
    Adlib::setReproducible(false);
}

TEST(Reproducible, SumsAlongADimensionMarkTheirResultAsWritten) {
    const Procs1 p;
    const ExtBlockRange x(4 * p.size(), p.dim(0), 1, 1);
    const auto a = create<double>(p, x, 3);
    const auto sums = create<double>(p, x);
    const bool isFirst = x.localBlock().globalBase == 0;  // the cells below lie beyond the end
    Adlib::SumDim sum(sums, a, 1);
    for (const bool reproducible : {false, true}) {
        Adlib::setReproducible(reproducible);
        for (int call = 0; call < 2; ++call) {
            Adlib::writeHalo(sums);
            EXPECT_GT(sums.ghosts()->freshBelow(sums.descriptor()[0], 0), 0);
            call == 0 ? sum.execute() : Adlib::sumDim(sums, a, 1);
            EXPECT_EQ(sums.ghosts()->freshBelow(sums.descriptor()[0], 0) > 0, isFirst);
        }
    }
    Adlib::setReproducible(false);
}

}  // namespace
}  // namespace hpspmd::test
