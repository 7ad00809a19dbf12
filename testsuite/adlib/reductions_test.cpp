// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every reduction of generated arrays, with and without mask, against a loop over the global
/// indices.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <limits>

#include "cases.hpp"
#include "errors.hpp"
#include "reduction_oracle.hpp"

namespace hpspmd::test {
namespace {

bool sameEverywhere(double value) {
    const double first = Adlib::broadcast(value);
    return std::memcmp(&first, &value, sizeof value) == 0;
}

template <std::size_t R>
class ReductionCase {
public:
    ReductionCase(Random& random, const Group& grid)
        : values_{random.seed(), randomShape(random, R)},
          array_(randomArray(random, grid, values_.shape, false)),
          maskArray_(alignedArray(array_)),
          numbers_(typed<std::int64_t, R>(array_)),
          reals_(typed<double, R>(array_)),
          truths_(typed<bool, R>(maskArray_)),
          mask_(typed<bool, R>(maskArray_)) {
        text_ = describe(array_);
        fill(numbers_, array_, [&](const Indices& i) { return values_.number(i); });
        fill(reals_, array_, [&](const Indices& i) { return values_.real(i); });
        fill(truths_, maskArray_, [&](const Indices& i) { return values_.truth(i); });
        fill(mask_, maskArray_, [&](const Indices& i) { return values_.masked(i); });
    }

    void run() {
        SCOPED_TRACE(text_);
        check(Oracle(values_, [](const Indices&) { return true; }));
        check(Oracle(values_, [&](const Indices& i) { return values_.masked(i); }), mask_);
        for (int d = 0; d < static_cast<int>(R); ++d) {
            if constexpr (R > 0) {
                checkAlong(d, false);
                checkAlong(d, true, mask_);
            }
        }
    }

private:
    template <class A, class F>
    void fill(const A& array, const TestArray& layout, const F& f) {
        forEachHeld(layout, values_.shape, array.data(),
                    [&](const Indices& index, auto& element) { element = f(index); });
    }

    template <class... M>
    void check(const Oracle& oracle, const M&... mask) {
        EXPECT_EQ(static_cast<std::uint64_t>(Adlib::sum(numbers_, mask...)), oracle.sum);
        EXPECT_EQ(static_cast<std::uint64_t>(Adlib::product(numbers_, mask...)), oracle.product);
        EXPECT_EQ(Adlib::maxval(numbers_, mask...), oracle.max);
        EXPECT_EQ(Adlib::minval(numbers_, mask...), oracle.min);
        EXPECT_EQ(Adlib::any(truths_, mask...), oracle.any);
        EXPECT_EQ(Adlib::all(truths_, mask...), oracle.all);
        EXPECT_EQ(Adlib::count(truths_, mask...), oracle.count);
        EXPECT_EQ(static_cast<std::uint64_t>(Adlib::dotProduct(numbers_, numbers_, mask...)),
                  oracle.dot);
        const auto [max, maxAt] = Adlib::maxloc(numbers_, mask...);
        EXPECT_EQ(max, oracle.max);
        EXPECT_EQ(Indices(maxAt.begin(), maxAt.end()), oracle.maxAt);
        const auto [min, minAt] = Adlib::minloc(numbers_, mask...);
        EXPECT_EQ(min, oracle.min);
        EXPECT_EQ(Indices(minAt.begin(), minAt.end()), oracle.minAt);
        const auto bits = [](std::int64_t a, std::int64_t b) { return a ^ b; };
        EXPECT_EQ(Adlib::reduce(numbers_, bits, 0, mask...), oracle.bits);
        const double sum = Adlib::sum(reals_, mask...);
        EXPECT_NEAR(sum, oracle.realSum, 1e-12 * oracle.magnitude);
        EXPECT_TRUE(sameEverywhere(sum));
        EXPECT_TRUE(sameEverywhere(Adlib::dotProduct(reals_, reals_, mask...)));
    }

    /// The forms along dimension d: each element of the result against an oracle of its line.
    template <class... M>
    void checkAlong(int d, bool isMasked, const M&... mask) {
        const TestArray layout = alignedWithout(array_, d);
        Indices shape = values_.shape;
        shape.erase(shape.begin() + d);
        const auto sums = typed<std::int64_t, R - 1>(layout);
        const auto largest = typed<std::int64_t, R - 1>(layout);
        const auto smallest = typed<std::int64_t, R - 1>(layout);
        const auto products = typed<std::int64_t, R - 1>(layout);
        const auto dots = typed<std::int64_t, R - 1>(layout);
        const auto largestAt = typed<int, R - 1>(layout);
        const auto smallestAt = typed<std::int64_t, R - 1>(layout);
        const auto counts = typed<Index, R - 1>(layout);
        const auto alls = typed<bool, R - 1>(layout), anys = typed<bool, R - 1>(layout);
        Adlib::sumDim(sums, numbers_, d, mask...);
        Adlib::productDim(products, numbers_, d, mask...);
        Adlib::dotProductDim(dots, numbers_, numbers_, d, mask...);
        Adlib::countDim(counts, truths_, d, mask...);
        Adlib::anyDim(anys, truths_, d, mask...);
        Adlib::allDim(alls, truths_, d, mask...);
        Adlib::maxlocDim(largest, largestAt, numbers_, d, mask...);
        Adlib::minlocDim(smallest, smallestAt, numbers_, d, mask...);
        const auto bits = typed<std::int64_t, R - 1>(layout);
        const auto exclusiveOr = [](std::int64_t a, std::int64_t b) { return a ^ b; };
        Adlib::reduceDim(bits, numbers_, d, exclusiveOr, 0, mask...);
        const auto onlyLargest = typed<std::int64_t, R - 1>(layout);
        Adlib::maxvalDim(onlyLargest, numbers_, d, mask...);
        const auto onlySmallest = typed<std::int64_t, R - 1>(layout);
        Adlib::minvalDim(onlySmallest, numbers_, d, mask...);

        forEachHeld(layout, shape, sums.data(), [&](const Indices& index, std::int64_t& sum) {
            const Oracle oracle(values_, [&](Indices full) {
                const bool taken = !isMasked || values_.masked(full);
                full.erase(full.begin() + d);
                return taken && full == index;
            });
            const Index at = &sum - sums.data();
            EXPECT_EQ(static_cast<std::uint64_t>(sum), oracle.sum);
            EXPECT_EQ(static_cast<std::uint64_t>(products.data()[at]), oracle.product);
            EXPECT_EQ(static_cast<std::uint64_t>(dots.data()[at]), oracle.dot);
            EXPECT_EQ(bits.data()[at], oracle.bits);
            EXPECT_EQ(counts.data()[at], oracle.count);
            EXPECT_EQ(anys.data()[at], oracle.any);
            EXPECT_EQ(alls.data()[at], oracle.all);
            EXPECT_EQ(largest.data()[at], oracle.max);
            EXPECT_EQ(onlyLargest.data()[at], oracle.max);
            EXPECT_EQ(smallest.data()[at], oracle.min);
            EXPECT_EQ(onlySmallest.data()[at], oracle.min);
            EXPECT_EQ(largestAt.data()[at], placeAlong<int>(oracle.maxAt, d));
            EXPECT_EQ(smallestAt.data()[at], placeAlong<std::int64_t>(oracle.minAt, d));
        });
    }

    Values values_;
    TestArray array_, maskArray_;
    Typed<std::int64_t, R> numbers_;
    Typed<double, R> reals_;
    Typed<bool, R> truths_, mask_;
    std::string text_;
};

TEST(Reductions, GeneratedArrays) { forLiveCases(60, runOfAnyRank<ReductionCase>); }

// In pieces, which processes combine as wholes, and at once, which they combine by halves.
TEST(Reductions, LongResultsHaveTheBitsOfShortOnes) {
    constexpr Index n = 90001, piece = 1501;
    const Procs1 p;
    const auto a = create<double>(p, BlockRange(p.size(), p.dim(0)), n);
    for (Index k = 0; k < n; ++k)
        a.data()[k] = std::pow(-1.7, (k * 7 + detail::ownRank() * 13) % 40);
    const auto sums = create<double>(p, n), pieces = create<double>(p, n);
    const auto firsts = create<double>(p, n), spread = create<double>(p, 2 * n);
    Adlib::sumDim(sums, a, 0);
    Adlib::sumDim(section(spread, Triplet(0, 2 * n - 1, 2)), a, 0);
    for (Index first = 0; first < n; first += piece) {
        const Triplet some(first, std::min(n, first + piece) - 1);
        Adlib::sumDim(section(pieces, some), section(a, Triplet(), some), 0);
    }
    const auto firstOf = [](double x, double y) { return x != 0 ? x : y; };  // does not commute
    Adlib::reduceDim(firsts, a, 0, firstOf, 0.0);
    for (Index k = 0; k < n; ++k) {
        EXPECT_EQ(sums.data()[k], pieces.data()[k]) << k;
        EXPECT_EQ(spread.data()[2 * k], pieces.data()[k]) << k;
        EXPECT_EQ(firsts.data()[k], std::pow(-1.7, k * 7 % 40)) << k;
    }
}

/// Large elements, and results in private memory that must become visible.
TEST(Reductions, LongResultsOfOtherSizes) {
    struct Block {
        std::array<int, 500> numbers;
        static Block plus(Block x, const Block& y) {
            for (std::size_t k = 0; k < x.numbers.size(); ++k) x.numbers[k] += y.numbers[k];
            return x;
        }
    };
    const Procs1 p;
    for (const Index n : {41, 3001}) {
        const auto a = create<Block>(p, BlockRange(p.size(), p.dim(0)), n);
        const auto sums = create<Block>(p, n);
        for (Index k = 0; k < n; ++k)
            a.data()[k].numbers.fill(static_cast<int>(k) + detail::ownRank());
        Adlib::reduceDim(sums, a, 0, Block::plus, Block{});
        const int size = p.size();
        Index wrong = 0;
        for (Index k = 0; k < n; ++k)
            for (const int number : sums.data()[k].numbers)
                wrong += number != size * static_cast<int>(k) + size * (size - 1) / 2;
        EXPECT_EQ(wrong, 0) << n;
    }
}

TEST(Reductions, PlainValues) {
    const Group all = apg();
    const int rank = all.rank(), size = all.size();
    EXPECT_EQ(Adlib::sum(rank + 1), size * (size + 1) / 2);
    EXPECT_EQ(Adlib::maxval(rank), size - 1);
    EXPECT_EQ(Adlib::minval(-rank), 1 - size);
    EXPECT_EQ(Adlib::count(rank % 2 == 0), (size + 1) / 2);
    EXPECT_EQ(Adlib::any(rank == size - 1), true);
    EXPECT_EQ(Adlib::all(rank > 0), false);
    EXPECT_EQ(Adlib::product(2LL), 1LL << size);
    EXPECT_EQ(Adlib::reduce(
                  rank, [](int a, int b) { return std::max(a, b); }, -1),
              size - 1);
    EXPECT_EQ(Adlib::broadcast(rank + 7), 7);
    const Procs1 p(1);
    EXPECT_EQ(Adlib::broadcast(rank + 7, p), 7);
}

/// f(i, j) over a nest, as emitted code passes it to a reduction.
template <class F>
auto nest(const Range& x, const Triplet& t, const Range& y, const F& f) {
    return detail::overall(x, t, [=](const DistributedIndex& i) {
        return detail::overall(y, Triplet(),
                               [=](const DistributedIndex& j) { return f(i.global, j.global); });
    });
}

int larger(int a, int b) { return a > b ? a : b; }

TEST(Reductions, AFunctionMayBeTheOperation) {
    EXPECT_EQ(Adlib::reduce(apg().rank(), larger, -1), apg().size() - 1);
}

// Rows of which many elements are looked at together: the first of equal ones, wherever it stands.
TEST(Reductions, PlacesInLongRows) {
    constexpr Index extent = 3000;
    const Procs1 p;
    const detail::On on(p);
    const BlockRange x(extent, p.dim(0));
    const auto a = create<double>(p, x);
    for (const Index first : {0, 1, 511, 512, 513, 1500, 2999})
        for (const Index second : {first, Index(1024), extent - 1}) {
            for (auto i : overall(x)) {
                const bool isOne = i.global == first || i.global == second;
                a(i) = i.global % 5 == 3 ? std::nan("") : double(i.global % 700);
                if (isOne) a(i) = -2;
            }
            const auto least = Adlib::minloc(a);
            EXPECT_EQ(least.value, -2);
            EXPECT_EQ(least.location[0], std::min(first, second));
            for (auto i : overall(x)) a(i) = -a(i);
            const auto most = Adlib::maxloc(a);
            EXPECT_EQ(most.value, 2);
            EXPECT_EQ(most.location[0], std::min(first, second));
        }
    for (auto i : overall(x)) a(i) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(Adlib::minloc(a).location[0], 0);
}

TEST(Reductions, Expressions) {
    const Procs2 p;
    const detail::On on(p);
    if (!on) return;
    const BlockRange x(7, p.dim(0));
    const CyclicRange y(5, p.dim(1));
    const auto value = [](Index i, Index j) { return (i * 5 + j * 3) % 11; };
    Index sum = 0, max = 0, small = 0;
    for (Index i = 1; i < 7; i += 2)
        for (Index j = 0; j < 5; ++j) {
            sum += value(i, j);
            max = std::max(max, value(i, j));
            small += value(i, j) < 3;
        }
    const Triplet odd(1, 6, 2);
    EXPECT_EQ(Adlib::sum(nest(x, odd, y, value)), sum);
    const auto best = Adlib::maxloc(nest(x, odd, y, value));
    EXPECT_EQ(best.value, max);
    EXPECT_EQ(value(best.location[0], best.location[1]), max);
    EXPECT_EQ(Adlib::count(nest(x, odd, y, [=](Index i, Index j) { return value(i, j) < 3; })),
              small);
    EXPECT_EQ(Adlib::sum(nest(x, Triplet(3, 2), y, value)), 0);
    const auto larger = [](Index a, Index b) { return std::max(a, b); };
    EXPECT_EQ(Adlib::reduce(nest(x, odd, y, value), larger, 0), max);

    // Over one range only, each row of processes for itself: the others hold the same locations.
    const auto squares = detail::overall(
        x, Triplet(), [](const DistributedIndex& i) { return i.global * i.global; });
    EXPECT_EQ(Adlib::sum(squares), 91);
}

}  // namespace
}  // namespace hpspmd::test
