// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions and accumulations of numbers of all types, complex ones and own structs among them,
/// NaNs and lines without elements, against sequential loops. The values are such that no order of
/// operations rounds.

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <limits>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

constexpr Index rows = 13, columns = 4;

template <class T>
T summand(Index i, Index j) {
    const int number = static_cast<int>((3 * i + 5 * j) % 7) - 2;
    if constexpr (detail::isComplex<T>)
        return T(static_cast<typename T::value_type>(number),
                 static_cast<typename T::value_type>(i - j));
    else
        return static_cast<T>(number);
}
/// Few other than 1.
template <class T>
T factor(Index i, Index j) {
    if ((i + 4 * j) % 9 != 0) return T(1);
    if constexpr (detail::isComplex<T>)
        return T(1, j % 2 == 0 ? 1 : -1);
    else
        return static_cast<T>(j % 2 == 0 ? 2 : 3);
}
bool masked(Index i, Index j) { return (i + j) % 3 != 0; }

/// A matrix whose rows are distributed, of f(i, j).
template <class T, class F>
Array<T, Dist, Seq> matrix(const Procs1& p, const Range& x, const F& f) {
    const auto a = create<T>(p, x, columns);
    for (auto i : overall(x))
        for (Index j = 0; j < columns; ++j) a(i, j) = f(i.global, j);
    return a;
}

/// Calls take(i, j) for all elements of the line along d at `place`, or of all lines if d is -1,
/// with or without the mask.
template <class Take>
void forLine(int d, Index place, bool isMasked, const Take& take) {
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j)
            if ((d < 0 || (d == 0 ? j : i) == place) && (!isMasked || masked(i, j))) take(i, j);
}

/// Calls use(index, position) for the elements of a line that this process holds.
template <class A, class Use>
void forHeld(const A& line, const Use& use) {
    for (const Block b : line.rng(0).localBlocks())
        for (Index k = 0; k < b.count; ++k)
            use(b.globalBase + k * b.globalStep, line.stride(0) * (b.localBase + k * b.localStep));
}

template <class T>
class Numbers : public testing::Test {
protected:
    Procs1 p;
    detail::On on{p};
    CyclicRange x{rows, p.dim(0)};
    Array<T, Dist, Seq> a = matrix<T>(p, x, summand<T>);
    Array<T, Dist, Seq> b = matrix<T>(p, x, factor<T>);
    Array<bool, Dist, Seq> mask = matrix<bool>(p, x, masked);

    T sum(int d, Index place, bool isMasked) const {
        T total = T();
        forLine(d, place, isMasked,
                [&](Index i, Index j) { total = static_cast<T>(total + summand<T>(i, j)); });
        return total;
    }
    T product(int d, Index place, bool isMasked) const {
        T total = T(1);
        forLine(d, place, isMasked,
                [&](Index i, Index j) { total = static_cast<T>(total * factor<T>(i, j)); });
        return total;
    }
    auto dot(int d, Index place, bool isMasked) const {
        using Result = decltype(Adlib::dotProduct(a, b));
        Result total = Result();
        forLine(d, place, isMasked, [&](Index i, Index j) {
            total += static_cast<Result>(summand<T>(i, j)) * static_cast<Result>(factor<T>(i, j));
        });
        return total;
    }

    /// result[place] is expected(d, place, isMasked) for all places that this process holds.
    template <class R, class Slot, class Expected>
    void expectLines(const Array<R, Slot>& result, int d, bool isMasked, const Expected& expected) {
        forHeld(result, [&](Index place, Index at) {
            EXPECT_EQ(result.data()[at], expected(d, place, isMasked)) << d << ", " << place;
        });
    }
    template <class Slot, class... Mask>
    void checkLines(const Array<T, Slot>& result, int d, const Mask&... mask) {
        constexpr bool isMasked = sizeof...(Mask) == 1;
        Adlib::sumDim(result, a, d, mask...);
        expectLines(result, d, isMasked, [&](auto... of) { return sum(of...); });
        Adlib::productDim(result, b, d, mask...);
        expectLines(result, d, isMasked, [&](auto... of) { return product(of...); });
        const auto dots = like<decltype(Adlib::dotProduct(a, b))>(result);
        Adlib::dotProductDim(dots, a, b, d, mask...);
        expectLines(dots, d, isMasked, [&](auto... of) { return dot(of...); });
        const auto subtract = [](const T& one, const T& other) {
            return static_cast<T>(-(-one - other));
        };
        Adlib::reduceDim(result, a, d, subtract, T(), mask...);
        expectLines(result, d, isMasked, [&](auto... of) { return sum(of...); });
    }
};

using AllNumbers = testing::Types<signed char, short, unsigned, long long, float, double,
                                  long double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Numbers, AllNumbers);

TYPED_TEST(Numbers, SumsAndProducts) {
    using T = TypeParam;
    EXPECT_EQ(Adlib::sum(this->a), this->sum(-1, 0, false));
    EXPECT_EQ(Adlib::sum(this->a, this->mask), this->sum(-1, 0, true));
    EXPECT_EQ(Adlib::product(this->b), this->product(-1, 0, false));
    EXPECT_EQ(Adlib::product(this->b, this->mask), this->product(-1, 0, true));
    EXPECT_EQ(Adlib::dotProduct(this->a, this->b), this->dot(-1, 0, false));
    EXPECT_EQ(Adlib::dotProduct(this->a, this->b, this->mask), this->dot(-1, 0, true));
    const auto ofRow = [&](auto i) { return summand<T>(i.global, 1); };
    EXPECT_EQ(Adlib::sum(overall(this->x, Triplet(), ofRow)), this->sum(0, 1, false));
    const auto factorOfRow = [&](auto i) { return factor<T>(i.global, 1); };
    EXPECT_EQ(Adlib::product(overall(this->x, Triplet(), factorOfRow)), this->product(0, 1, false));
    const int size = apg().size();
    EXPECT_EQ(Adlib::sum(T(1)), static_cast<T>(size));
    EXPECT_EQ(Adlib::product(apg().rank() == 0 ? T(3) : T(1)), T(3));
    EXPECT_EQ(Adlib::broadcast(T(apg().rank() + 2)), T(2));
}

TYPED_TEST(Numbers, AlongADimension) {
    const auto lines = create<TypeParam>(this->p, columns);
    const auto rowsOf = create<TypeParam>(this->p, this->x);
    this->checkLines(lines, 0);
    this->checkLines(lines, 0, this->mask);
    this->checkLines(rowsOf, 1);
    this->checkLines(rowsOf, 1, this->mask);
}

TYPED_TEST(Numbers, AccumulationsOfAll) {
    using T = TypeParam;
    const auto local = create<T>(apg(), rows, columns);
    for (Index k = 0; k < rows; ++k)
        for (Index j = 0; j < columns; ++j) local.data()[k * local.stride(0) + j] = factor<T>(k, j);
    Adlib::fence(this->a);
    if (apg().rank() == apg().size() - 1) {
        Adlib::accumulate(this->a, local);
        Adlib::accumulate(this->a, local, Adlib::By::Product);
    }
    Adlib::fence(this->a);
    for (auto i : overall(this->x))
        for (Index j = 0; j < columns; ++j) {
            const T f = factor<T>(i.global, j);
            const T expected = static_cast<T>(static_cast<T>(summand<T>(i.global, j) + f) * f);
            EXPECT_EQ(this->a(i, j), expected) << i.global << ", " << j;
        }
}

// All processes add one array; each is told what those before it have left.
TYPED_TEST(Numbers, FetchedAndAdded) {
    using T = TypeParam;
    const auto old = create<T>(apg(), rows, columns), local = create<T>(apg(), rows, columns);
    for (Index k = 0; k < rows; ++k)
        for (Index j = 0; j < columns; ++j) local.data()[k * local.stride(0) + j] = factor<T>(k, j);
    Adlib::fence(this->a);
    Adlib::fetchAdd(old, this->a, local);
    Adlib::fence(this->a);
    const auto after = [](Index k, Index j, int adders) {
        T value = summand<T>(k, j);
        for (int q = 0; q < adders; ++q) value = static_cast<T>(value + factor<T>(k, j));
        return value;
    };
    for (Index k = 0; k < rows; ++k)
        for (Index j = 0; j < columns; ++j)
            EXPECT_EQ(old.data()[k * old.stride(0) + j], after(k, j, this->p.rank()))
                << k << ", " << j;
    for (auto i : overall(this->x))
        for (Index j = 0; j < columns; ++j)
            EXPECT_EQ(this->a(i, j), after(i.global, j, this->p.size())) << i.global << ", " << j;
}

template <class T>
class Ordered : public testing::Test {
protected:
    static constexpr bool hasNaN = std::numeric_limits<T>::has_quiet_NaN;

    Procs1 p;
    detail::On on{p};
    BlockRange x{rows, p.dim(0)};
    Array<bool, Dist, Seq> mask = matrix<bool>(p, x, masked);

    /// Equal values at several places, NaNs in between, and all of column 3.
    static T value(Index i, Index j) {
        if (hasNaN && (j == 3 || (i + j) % 4 == 1)) return std::numeric_limits<T>::quiet_NaN();
        return static_cast<T>((7 * i + 3 * j) % 11 + 1);
    }
    static T lowest() {
        return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                    : std::numeric_limits<T>::lowest();
    }
    static T highest() {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                    : std::numeric_limits<T>::max();
    }

    struct Extremes {
        T max = lowest(), min = highest();
        Index maxAt[2] = {detail::nowhere, detail::nowhere};
        Index minAt[2] = {detail::nowhere, detail::nowhere};
    };
    static Extremes extremes(int d, Index place, bool isMasked) {
        Extremes found;
        forLine(d, place, isMasked, [&](Index i, Index j) {
            const T v = value(i, j);
            if (v > found.max) {
                found.max = v;
                found.maxAt[0] = i, found.maxAt[1] = j;
            }
            if (v < found.min) {
                found.min = v;
                found.minAt[0] = i, found.minAt[1] = j;
            }
        });
        return found;
    }

    template <class Extreme>
    static void expectAt(const Extreme& found, T expected, const Index* at) {
        EXPECT_EQ(found.value, expected);
        EXPECT_EQ(found.location[0], at[0]);
        EXPECT_EQ(found.location[1], at[1]);
    }
    template <class... Mask>
    void check(const Array<T, Dist, Seq>& a, const Mask&... mask) {
        const Extremes expected = extremes(-1, 0, sizeof...(Mask) == 1);
        EXPECT_EQ(Adlib::maxval(a, mask...), expected.max);
        EXPECT_EQ(Adlib::minval(a, mask...), expected.min);
        expectAt(Adlib::maxloc(a, mask...), expected.max, expected.maxAt);
        expectAt(Adlib::minloc(a, mask...), expected.min, expected.minAt);
    }
    template <class Slot, class... Mask>
    void checkLines(const Array<T, Slot>& max, const Array<T, Dist, Seq>& a, int d,
                    const Mask&... mask) {
        const auto min = like<T>(max), onlyMax = like<T>(max), onlyMin = like<T>(max);
        const auto maxAt = like<Index>(max), minAt = like<Index>(max);
        Adlib::maxvalDim(onlyMax, a, d, mask...);
        Adlib::minvalDim(onlyMin, a, d, mask...);
        Adlib::maxlocDim(max, maxAt, a, d, mask...);
        Adlib::minlocDim(min, minAt, a, d, mask...);
        forHeld(max, [&](Index place, Index at) {
            const Extremes expected = extremes(d, place, sizeof...(Mask) == 1);
            EXPECT_EQ(max.data()[at], expected.max) << d << ", " << place;
            EXPECT_EQ(min.data()[at], expected.min) << d << ", " << place;
            EXPECT_EQ(onlyMax.data()[at], expected.max) << d << ", " << place;
            EXPECT_EQ(onlyMin.data()[at], expected.min) << d << ", " << place;
            EXPECT_EQ(maxAt.data()[at], expected.maxAt[d]) << d << ", " << place;
            EXPECT_EQ(minAt.data()[at], expected.minAt[d]) << d << ", " << place;
        });
    }
};

using AllOrdered =
    testing::Types<signed char, short, unsigned, long long, float, double, long double>;
TYPED_TEST_SUITE(Ordered, AllOrdered);

TYPED_TEST(Ordered, ExtremesAndTheirPlaces) {
    const auto a = matrix<TypeParam>(this->p, this->x, this->value);
    this->check(a);
    this->check(a, this->mask);
    const auto lines = create<TypeParam>(this->p, columns);
    const auto rowsOf = create<TypeParam>(this->p, this->x);
    this->checkLines(lines, a, 0);
    this->checkLines(lines, a, 0, this->mask);
    this->checkLines(rowsOf, a, 1);
    this->checkLines(rowsOf, a, 1, this->mask);
    const auto expected = this->extremes(0, 1, false);
    const auto ofRow = [&](auto i) { return this->value(i.global, 1); };
    EXPECT_EQ(Adlib::maxval(overall(this->x, Triplet(), ofRow)), expected.max);
    EXPECT_EQ(Adlib::minval(overall(this->x, Triplet(), ofRow)), expected.min);
    EXPECT_EQ(Adlib::maxloc(overall(this->x, Triplet(), ofRow)).location[0], expected.maxAt[0]);
    EXPECT_EQ(Adlib::minloc(overall(this->x, Triplet(), ofRow)).location[0], expected.minAt[0]);
}

TYPED_TEST(Ordered, OfNoElements) {
    const auto a = matrix<TypeParam>(this->p, this->x, this->value);
    const auto none = matrix<bool>(this->p, this->x, [](Index, Index) { return false; });
    EXPECT_EQ(Adlib::maxval(a, none), this->lowest());
    EXPECT_EQ(Adlib::minval(a, none), this->highest());
    this->expectAt(Adlib::maxloc(a, none), this->lowest(), this->extremes(0, -1, false).maxAt);
    this->expectAt(Adlib::minloc(a, none), this->highest(), this->extremes(0, -1, false).minAt);
    EXPECT_EQ(Adlib::sum(a, none), TypeParam(0));
    EXPECT_EQ(Adlib::product(a, none), TypeParam(1));
    EXPECT_EQ(Adlib::dotProduct(a, a, none), TypeParam(0));
}

TYPED_TEST(Ordered, AccumulationsOfExtremes) {
    using T = TypeParam;
    const auto a = create<T>(this->p, this->x), b = create<T>(this->p, this->x);
    for (auto i : overall(this->x)) a(i) = b(i) = static_cast<T>(i.global);
    const auto local = create<T>(apg(), rows);
    for (Index k = 0; k < rows; ++k) local.data()[k] = static_cast<T>(rows - 1 - k);
    Adlib::fence(a);
    Adlib::fence(b);
    Adlib::accumulate(a, local, Adlib::By::Max);
    Adlib::accumulate(b, local, Adlib::By::Min);
    Adlib::fence(b);
    Adlib::fence(a);
    for (auto i : overall(this->x)) {
        EXPECT_EQ(a(i), static_cast<T>(std::max(i.global, rows - 1 - i.global)));
        EXPECT_EQ(b(i), static_cast<T>(std::min(i.global, rows - 1 - i.global)));
    }
}

TEST(ComplexNumbers, HaveNoExtremes) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<std::complex<double>>(p, BlockRange(5, p.dim(0)));
    const auto local = create<std::complex<double>>(apg(), 5);
    EXPECT_MESSAGE(Adlib::accumulate(a, local, Adlib::By::Max), "accumulate: complex numbers");
}

TEST(MixedNumbers, OfADotProduct) {
    const Procs1 p;
    const detail::On on(p);
    const BlockRange x(rows, p.dim(0));
    const auto a = matrix<int>(p, x, summand<int>);
    const auto b = matrix<double>(p, x, [](Index i, Index j) { return 0.5 * double(i + j); });
    const auto even = matrix<bool>(p, x, [](Index i, Index) { return i % 2 == 0; });
    const auto last = matrix<bool>(p, x, [](Index i, Index j) { return i == 11 && j == 2; });
    double total = 0;
    forLine(-1, 0, false,
            [&](Index i, Index j) { total += summand<int>(i, j) * 0.5 * double(i + j); });
    static_assert(std::is_same_v<decltype(Adlib::dotProduct(a, b)), double>);
    static_assert(std::is_same_v<decltype(Adlib::dotProduct(a, a)), Index>);
    static_assert(std::is_same_v<decltype(Adlib::dotProduct(even, last)), bool>);
    EXPECT_EQ(Adlib::dotProduct(a, b), total);
    EXPECT_FALSE(Adlib::dotProduct(even, last));
    EXPECT_TRUE(Adlib::dotProduct(last, last));
    const auto isThere = create<bool>(p, columns);
    Adlib::dotProductDim(isThere, last, last, 0);
    for (Index j = 0; j < columns; ++j) EXPECT_EQ(isThere.data()[j], j == 2);
    const auto isEven = [](auto i) { return i.global % 2 == 0; };
    EXPECT_TRUE(Adlib::any(overall(x, Triplet(), isEven)));
    EXPECT_FALSE(Adlib::all(overall(x, Triplet(), isEven)));
}

/// An own operation on structs: how many there are, and their mean weight.
struct Heap {
    double weight = 0;
    int count = 0;
    static Heap joined(const Heap& a, const Heap& b) {
        return {a.weight + b.weight, a.count + b.count};
    }
};

TEST(OwnStructs, ByAnOwnOperation) {
    const Procs1 p;
    const detail::On on(p);
    const CyclicRange x(rows, p.dim(0));
    const auto a = matrix<Heap>(p, x, [](Index i, Index j) { return Heap{double(i * j), 1}; });
    const Heap all = Adlib::reduce(a, Heap::joined, Heap{});
    EXPECT_EQ(all.count, rows * columns);
    EXPECT_EQ(all.weight, 6.0 * rows * (rows - 1) / 2);
    const auto lines = create<Heap>(p, columns);
    Adlib::reduceDim(lines, a, 0, Heap::joined, Heap{});
    for (Index j = 0; j < columns; ++j) {
        EXPECT_EQ(lines.data()[j].count, rows);
        EXPECT_EQ(lines.data()[j].weight, double(j * rows * (rows - 1) / 2));
    }
    const Heap mine{double(apg().rank()), 1};
    EXPECT_EQ(Adlib::reduce(mine, Heap::joined, Heap{}).count, apg().size());
}

}  // namespace
}  // namespace hpspmd::test
