// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows by packs, compared with loops over single elements to the last bit; where their packs
/// begin.

#include <gtest/gtest.h>

#include <hpspmd/far_columns.hpp>
#include <hpspmd/parts.hpp>
#include <hpspmd/rows.hpp>
#include <hpspmd/rows_again.hpp>
#include <hpspmd/shared_columns.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace hpspmd::test {
namespace {

using namespace detail;

constexpr Index lanes = Lanes<double>::count;
constexpr Index extent = 8 * lanes;

/// `extent` numbers from the start of a cache line on; some are infinite, or none, or zero of
/// either sign.
class Row {
public:
    explicit Row(int seed) {
        const double odd[] = {0.0, -0.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()};
        for (Index j = 0; j < extent; ++j) {
            const auto number = static_cast<int>((j * 7 + seed * 13) % 31);
            values_[j] = number % 9 == 0 ? odd[number / 9 % 4] : number / 8.0 - 2.0;
        }
    }
    double* data() { return values_; }
    bool operator==(const Row& other) const {
        return std::memcmp(values_, other.values_, sizeof values_) == 0;
    }

private:
    alignas(64) double values_[extent];
};

/// Calls f(first, last) for rows that begin at each place of a pack, of all lengths, none among
/// them.
template <class F>
void forEachStretch(const F& f) {
    for (Index first = 0; first <= lanes; ++first) {
        f(first, first - 1);
        f(first, first - 9);
        for (Index last = first; last < extent; ++last) f(first, last);
    }
}

/// eachOfRow() with a body beside the loop that it stands for.
template <bool isInPlace, class Body>
void expectSame(const Body& body) {
    Row from(1);
    forEachStretch([&](Index first, Index last) {
        Row packs(2), loop(2);
        eachOfRow<isInPlace>(packs.data(), first, last, [&](const auto& operands) {
            return body(operands, packs.data(), from.data());
        });
        for (Index j = first; j <= last; ++j)
            loop.data()[j] = body(SingleOperand{j}, loop.data(), from.data());
        ASSERT_TRUE(packs == loop) << first << " .. " << last;
    });
}

TEST(RowPacks, GiveTheElementsOfTheLoop) {
    expectSame<false>([](const auto& j, const double*, const double* from) {
        return 0.3 * j.at(from) + 1.7 / j.at(from);
    });
}

/// eachOfStencil() and eachOfWideStencil() of a row and another one, `place` elements behind a
/// cache line, read at all distances, beside the loop.
template <bool isInPlace>
void expectSameStencil(Index place) {
    alignas(64) double numbers[extent + 32];
    for (Index j = 0; j < extent + 32; ++j) numbers[j] = static_cast<double>((j * 7) % 31) / 8 - 2;
    const double* const from = numbers + 8 + place;
    const auto body = [&](const auto& j, const double* own) {
        auto sum = j.at(from, -7) - 2.0 * j.at(from, 7) + 3.0 * j.at(from, -4) - j.at(from);
        sum = sum + 0.5 * j.at(from, -1) * j.at(from, 1) - j.at(from, 2) + 5.0 * j.at(from, -2);
        sum = sum + j.at(from, 3) - j.at(from, -3) + 7.0 * j.at(from, 4) - j.at(from, 5);
        sum = sum * j.at(from, -5) + 9.0 * j.at(from, -6) - j.at(from, 6);
        if constexpr (isInPlace)
            return sum + 3.0 * j.at(own);
        else
            return sum;
    };
    forEachStretch([&](Index first, Index last) {
        Row packs(2), loop(2);
        eachOfStencil<isInPlace>(packs.data(), first, last,
                                 [&](const auto& j) { return body(j, packs.data()); });
        for (Index j = first; j <= last; ++j) loop.data()[j] = body(SingleOperand{j}, loop.data());
        ASSERT_TRUE(packs == loop) << first << " .. " << last << " at " << place;
        Row wide(2);
        eachOfWideStencil<isInPlace>(wide.data(), first, last,
                                     [&](const auto& j) { return body(j, wide.data()); });
        ASSERT_TRUE(wide == loop) << first << " .. " << last << " at " << place;
    });
}

TEST(RowPacks, ReadOtherRowsAtDistances) {
    for (Index place = 0; place < 8; ++place) {
        expectSameStencil<false>(place);
        expectSameStencil<true>(place);
    }
}

/// eachOfColumns() beside the loop: rows of columns that begin `place` elements behind a cache
/// line.
template <int least, int most, int step = 1>
void expectSameColumns(Index place) {
    alignas(64) double numbers[2][extent + 32];
    for (Index j = 0; j < extent + 32; ++j) {
        numbers[0][j] = static_cast<double>((j * 7) % 31) / 8 - 2;
        numbers[1][j] = static_cast<double>((j * 5) % 29) / 4;
    }
    const double *const above = numbers[0] + 8 + place, *const below = numbers[1] + 8 + place;
    const auto column = [&](const auto& j) { return j.at(above) + 2.0 * j.at(below); };
    const auto across = [&](const auto& j) {
        return j.column(least) - 3.0 * j.column(0) + 0.5 * j.column(most);
    };
    forEachStretch([&](Index first, Index last) {
        Row packs(2), loop(2);
        eachOfColumns<least, most, step>(packs.data(), first, last, column, across);
        const auto of = [&](Index j) { return column(SingleOperand{j}); };
        for (Index j = first; j <= last; j += step)
            loop.data()[j] = of(j + least) - 3.0 * of(j) + 0.5 * of(j + most);
        ASSERT_TRUE(packs == loop) << first << " .. " << last << " at " << place;
    });
}

TEST(RowPacks, ShareColumnsOfNeighbours) {
    for (Index place = 0; place < 8; ++place) {
        expectSameColumns<-1, 1>(place);
        expectSameColumns<-7, 7>(place);
        expectSameColumns<0, 3>(place);
        expectSameColumns<2, 5>(place);
        expectSameColumns<-1, 1, 2>(place);
        expectSameColumns<-4, 2, 2>(place);
    }
}

/// eachOfFarColumns() beside the loop: of `height` rows, each eight elements behind the one before.
template <class Choose>
void expectSameFarColumns(const double* from, Index height, const std::vector<Index>& distances) {
    const auto tellDistances = [&](auto&& take) {
        for (const Index d : distances) take(0.5 + static_cast<double>(d % 4), d);
    };
    const auto tellRows = [&](auto&& take) {
        for (Index k = 0; k < height; ++k) take(static_cast<double>(k % 3) - 1, from + 8 * k);
    };
    forEachStretch([&](Index first, Index last) {
        Row packs(2), loop(2);
        eachOfFarColumns<Choose>(packs.data(), first, last, 4.5, tellDistances, tellRows);
        for (Index j = first; j <= last; ++j) {
            double& value = loop.data()[j] = 4.5;
            tellDistances([&](double weight, Index d) {
                tellRows([&](double factor, const double* row) {
                    value = withNext<Choose>(value, factor * weight, row[j + d]);
                });
            });
        }
        ASSERT_TRUE(packs == loop) << first << " .. " << last << ", " << height << " rows";
    });
}

// Distances that go up, down, far, and none: multiples of 1/16, so that each order gives the same.
TEST(RowPacks, MakeFarColumnsOnce) {
    const std::vector<std::vector<Index>> all = {{-1, 0, 1},
                                                 {-2, -1, 0, 1, 2},
                                                 {0, 1, 2, 3, 4},
                                                 {-3, -2, -1, 0, 1, 2, 3},
                                                 {-4, -3, -2, -1, 0, 1, 2, 3, 4},
                                                 {2, 1, 0},
                                                 {3, 1, -4},
                                                 {5, 6},
                                                 {-600},
                                                 {}};
    std::vector<double> numbers(extent + 1700);
    for (size_t j = 0; j < numbers.size(); ++j) numbers[j] = static_cast<double>((j * 7) % 31) / 8;
    for (Index place = 0; place < 8; ++place)
        for (const auto& distances : all)
            for (const Index height : {Index(distances.size()), Index(0), Index(2), Index(40)}) {
                const double* const from = numbers.data() + 700 + place;
                expectSameFarColumns<void>(from, height, distances);
                expectSameFarColumns<Larger>(from, height, distances);
            }
}

TEST(RowPacks, StoreInSeveralRows) {
    // The last element reads the one behind the row, too.
    std::vector<double> from(extent + 1, 0.25);
    std::copy_n(Row(1).data(), extent, from.begin());
    forEachStretch([&](Index first, Index last) {
        Row rows[] = {Row(2), Row(3)}, loops[] = {Row(2), Row(3)};
        const auto body = [&](const auto& j, const double* own) {
            const auto half = 0.5 * j.at(from.data());
            return ofEachRow(half - j.at(own), half * j.at(from.data() + 1));
        };
        eachOfStencil<true>(rowsOf(rows[0].data(), rows[1].data()), first, last,
                            [&](const auto& j) { return body(j, rows[0].data()); });
        for (Index j = first; j <= last; ++j)
            put(rowsOf(loops[0].data() + j, loops[1].data() + j),
                body(SingleOperand{j}, loops[0].data()));
        ASSERT_TRUE(rows[0] == loops[0] && rows[1] == loops[1]) << first << " .. " << last;
    });
}

// An element that is computed twice, or not, or of what has changed already, is another one.
TEST(RowPacks, ChangeEachElementOnceInPlace) {
    expectSame<true>([](const auto& j, const double* own, const double* from) {
        return 3.0 * j.at(own) - j.at(from);
    });
}

TEST(RowPacks, ChangeEachElementSeveralTimesInTheOrderOfTheLoop) {
    for (Index to = -1; to < 10; ++to)
        forEachStretch([&](Index first, Index last) {
            Row packs(2), loop(2), from(5);
            eachOfRowAgain<int>(packs.data(), first, last, 0, to, [&](const int k) {
                const double by = 0.5 * k;
                return [=, &from](const auto& j, const auto& own) {
                    return own * by - j.at(from.data());
                };
            });
            for (Index k = 0; k <= to; ++k)
                for (Index j = first; j <= last; ++j)
                    loop.data()[j] = loop.data()[j] * (0.5 * double(k)) - from.data()[j];
            ASSERT_TRUE(packs == loop) << first << " .. " << last << ", " << to;
        });
}

template <Index step>
void expectSameInSteps(Index from, Index to) {
    Row packs(2), loop(2), other(5);
    eachOfRowAgain<long, step>(packs.data(), 1, extent - 1, from, to, [&](const long k) {
        return [=, &other](const auto& j, const auto& own) {
            return own * 0.5 + j.at(other.data()) * static_cast<double>(k);
        };
    });
    for (Index k = from; step > 0 ? k <= to : k >= to; k += step)
        for (Index j = 1; j < extent; ++j)
            loop.data()[j] = loop.data()[j] * 0.5 + other.data()[j] * static_cast<double>(k);
    ASSERT_TRUE(packs == loop) << from << " to " << to << " by " << step;
}

TEST(RowPacks, ChangeEachElementInSteps) {
    for (Index from = -1; from < 12; ++from)
        for (Index to = -2; to < 12; ++to) {
            expectSameInSteps<1>(from, to);
            expectSameInSteps<3>(from, to);
            expectSameInSteps<-1>(from, to);
            expectSameInSteps<-2>(from, to);
        }
}

TEST(RowPacks, ChooseBetweenNumbers) {
    expectSame<true>([](const auto& j, const double* own, const double* from) {
        return largerOf(smallerOf(j.at(own), 1.0), magnitude(j.at(from)) - 1.5);
    });
    expectSame<false>([](const auto& j, const double*, const double* from) {
        return smallerNumberOf(largerNumberOf(0.25, j.at(from)), 1.25);
    });
    expectSame<false>([](const auto& j, const double*, const double* from) {
        return chosen(j.at(from) < 0.5, 0.5, j.at(from)) + chosen(j.at(from) > 1.0, 1.0, -2.0);
    });
}

TEST(RowPacks, KeepTheLargestAndTheLeastNumber) {
    std::vector<double> from(extent);
    for (Index j = 0; j < extent; ++j) from[j] = (j * 11 + 5) % 37 - 18.0;
    forEachStretch([&](Index first, Index last) {
        Row packs(2), loop(2);
        double largest = -100, least = 100;
        const auto body = [&](const auto& j) { return 2.0 * j.at(from.data()); };
        const auto offer = [&](const auto& j, const auto& v) { return v - j.at(from.data()); };
        for (Index j = first; j <= last; ++j) {
            loop.data()[j] = 2.0 * from[j];
            largest = std::max(largest, from[j]);
            least = std::min(least, from[j]);
        }
        ASSERT_EQ(keptOfRow<Larger>(packs.data(), first, last, -100, body, offer), largest);
        ASSERT_EQ(keptOfRow<Smaller>(packs.data(), first, last, 100, body, offer), least);
        ASSERT_TRUE(packs == loop) << first << " .. " << last;
    });
}

// The row's first element lies `place` elements behind a multiple of a pack's size.
TEST(RowPacks, LieAtMultiplesOfTheirSizeInLongRows) {
    constexpr Index isLong = packsOfLongRow * lanes;
    const struct {
        Index place, count, inFront;
    } table[] = {
        {0, 1, 0},
        {0, isLong, 0},
        {0, 1000, 0},
        {1, 1, 0},
        {1, lanes, 0},
        {1, isLong - 1, 0},
        {1, isLong, lanes - 1},
        {1, 1000, lanes - 1},
        {lanes - 1, isLong - 1, 0},
        {lanes - 1, isLong, 1},
        {lanes / 2, isLong + 1, lanes / 2},
    };
    alignas(64) double line[2 * lanes];
    for (const auto& row : table)
        EXPECT_EQ(elementsInFront(line + row.place, row.count), row.inFront)
            << row.count << " elements at " << row.place;
}

/// Of so many elements of type T from this one behind the start of a cache line.
template <class T>
void expectTwoParts(int place, Index count) {
    alignas(64) static const T row[512] = {};
    const T* const start = row + place;
    const Index first = 3, last = first + count - 1;
    Index next = first;
    int number = 0;
    for (const Part& part : Parts::byLines(start - first, first, last)) {
        EXPECT_EQ(part.first, next);
        EXPECT_LE(part.first, part.last);
        if (number++ == 1) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start - first + part.first) % 64, 0u);
        }
        next = part.last + 1;
    }
    EXPECT_EQ(next, last + 1);
    const bool isCut = count > 256 && (static_cast<std::size_t>(place) * sizeof(T)) % 64 != 0;
    EXPECT_EQ(number, isCut ? 2 : count > 0 ? 1 : 0);
}

TEST(Rows, LongOnesFallIntoTwoPartsAtALine) {
    for (const Index count : {0, 1, 7, 200, 257, 400})
        for (int place = 0; place < 9; ++place) {
            expectTwoParts<double>(place, count);
            expectTwoParts<float>(place, count);
            expectTwoParts<char>(place, count);
        }
}

}  // namespace
}  // namespace hpspmd::test
