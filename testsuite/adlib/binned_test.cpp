// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Binned summation in one process: exact where a sum is exact, the same for every order and
/// partition, over all exponents.

#include <gtest/gtest.h>

#include <adlib/binned.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace hpspmd::test {
namespace {

using detail::Binned;

double sumOf(const std::vector<double>& values) {
    Binned sum;
    deposit(sum, values.data(), static_cast<Index>(values.size()));
    return rounded(sum);
}

std::uint64_t bitsOf(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Numbers between 2^low and 2^high of either sign.
std::vector<double> numbers(std::mt19937_64& random, int count, int low, int high) {
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(low, high);
    std::vector<double> result;
    for (int k = 0; k < count; ++k)
        result.push_back(std::ldexp(mantissa(random), exponent(random)));
    return result;
}

TEST(Binned, EveryOrderAndPartitionGivesTheSameBits) {
    std::mt19937_64 random(1);
    const std::pair<int, int> exponents[] = {
        {0, 0}, {-30, 30}, {-200, 200}, {-1070, -900}, {-1074, -1030}, {900, 1018}, {-1074, 1018}};
    for (const auto& [low, high] : exponents)
        for (int round = 0; round < 40; ++round) {
            std::vector<double> values =
                numbers(random, 1 + static_cast<int>(random() % 300), low, high);
            const double expected = sumOf(values);
            std::shuffle(values.begin(), values.end(), random);
            Binned sum;
            for (std::size_t done = 0; done < values.size();) {
                const std::size_t part =
                    std::min<std::size_t>(1 + random() % 40, values.size() - done);
                Binned piece;
                deposit(piece, values.data() + done, static_cast<Index>(part));
                if (random() % 2 == 0) {
                    merge(sum, piece);
                } else {
                    merge(piece, sum);
                    sum = piece;
                }
                done += part;
            }
            EXPECT_EQ(bitsOf(rounded(sum)), bitsOf(expected)) << low << " " << high;
        }
}

TEST(Binned, ErrorIsOneRoundingOfNearlyExactSums) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 50; ++round) {
        const std::vector<double> values = numbers(random, 1000, -4, 4);
        __int128 exact = 0;  // in units of 2^-62; all numbers are multiples of 2^-57
        for (const double value : values) exact += static_cast<__int128>(std::ldexp(value, 62));
        EXPECT_EQ(sumOf(values), std::ldexp(static_cast<double>(exact), -62));
    }
}

TEST(Binned, CancellationLosesNothing) {
    EXPECT_EQ(sumOf({1e16, 1, -1e16}), 1);
    EXPECT_EQ(sumOf({1, 1e20, 0x1p-30, -1e20}), 1 + 0x1p-30);
    EXPECT_EQ(
        sumOf({std::numeric_limits<double>::max(), 1e300, -std::numeric_limits<double>::max()}),
        1e300);
}

TEST(Binned, HoldsSubnormalNumbers) {
    const double smallest = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(sumOf({smallest, smallest, smallest}), 3 * smallest);
    EXPECT_EQ(sumOf({1e-300, smallest, -1e-300}), smallest);
    EXPECT_EQ(bitsOf(sumOf({})), 0u);
}

TEST(Binned, OverflowsAndSpecialValuesAreThoseOfAddition) {
    const double largest = std::numeric_limits<double>::max();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(sumOf({largest, largest}), infinity);
    EXPECT_EQ(sumOf({largest, largest, -largest}), largest);
    EXPECT_EQ(sumOf({1, infinity, -5}), infinity);
    EXPECT_EQ(sumOf({-infinity, 3}), -infinity);
    EXPECT_TRUE(std::isnan(sumOf({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(sumOf({1, std::nan("")})));
}

TEST(Binned, ManyTerms) {
    Binned sum;
    const std::vector<double> tenths(100000, 0.1);
    for (int k = 0; k < 100; ++k) deposit(sum, tenths.data(), 100000);
    EXPECT_EQ(rounded(sum), 1e7 * 0.1L);  // one rounding of the exact sum
}

TEST(Binned, ComplexAndFloat) {
    detail::BinnedSum<std::complex<float>> sum;
    const std::vector<std::complex<float>> terms(1000, {1.5F, -1e8F});
    sum.add(terms.data(), 1000);
    EXPECT_EQ(sum.value(), std::complex<float>(1500, -1e11F));
}

}  // namespace
}  // namespace hpspmd::test
