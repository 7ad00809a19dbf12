// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums of products by tiles, compared with loops. All sums are whole numbers, so they are exact.

#include <gtest/gtest.h>

#include <hpspmd/sums_of_products.hpp>

#include <random>
#include <vector>

namespace hpspmd::test {
namespace {

/// Bounds of the three loops, inclusive; those of k may be empty.
struct Bounds {
    Index iFirst, iLast, jFirst, jLast, kFirst, kLast;
};

template <class T>
class Factors {
public:
    explicit Factors(std::mt19937& random) {
        for (std::vector<T>* values : {&left_, &right_})
            for (T& value : *values) value = static_cast<T>(static_cast<int>(random() % 17) - 8);
    }

    T left(Index i, Index k) const { return left_[place(i, k)]; }
    const T* row(Index k) const { return right_.data() + place(k, 0); }

private:
    static constexpr Index most = 320;
    static std::size_t place(Index i, Index j) { return static_cast<std::size_t>(i * most + j); }
    std::vector<T> left_ = std::vector<T>(most * most), right_ = left_;
};

/// `start`: a number, or a function whose values are `startAt(i, j)`.
template <class T, class Start, class StartAt>
void expectSums(const Bounds& b, const Factors<T>& factors, const Start& start,
                const StartAt& startAt) {
    std::vector<T> sums(320 * 320, T(-1));
    detail::sumsOfProducts(
        b.iFirst, b.iLast, b.jFirst, b.jLast, b.kFirst, b.kLast, start,
        [&](Index k) { return factors.row(k); },
        [&](Index i, Index k, const auto& row) { return factors.left(i, k) * row; },
        [&](Index i, Index j, T sum) { sums[static_cast<std::size_t>(i * 320 + j)] = sum; });
    for (Index i = b.iFirst; i <= b.iLast; ++i)
        for (Index j = b.jFirst; j <= b.jLast; ++j) {
            T sum = startAt(i, j);
            for (Index k = b.kFirst; k <= b.kLast; ++k)
                sum += factors.left(i, k) * factors.row(k)[j];
            ASSERT_EQ(sums[static_cast<std::size_t>(i * 320 + j)], sum)
                << i << ", " << j << " of rows " << b.iFirst << " .. " << b.iLast << ", columns "
                << b.jFirst << " .. " << b.jLast << ", steps " << b.kFirst << " .. " << b.kLast;
        }
}

template <class T>
void expectSymmetricSums(const Bounds& b, const Factors<T>& factors) {
    std::vector<T> sums(320 * 320, T(-1));
    detail::symmetricSumsOfProducts(
        b.jFirst, b.jLast, b.kFirst, b.kLast, T(0), [&](Index k) { return factors.row(k); },
        [&](Index i, Index k, const auto& row) { return factors.row(k)[i] * row; },
        [&](Index i, Index j, T sum) { sums[static_cast<std::size_t>(i * 320 + j)] = sum; });
    for (Index i = b.jFirst; i <= b.jLast; ++i)
        for (Index j = b.jFirst; j <= b.jLast; ++j) {
            T sum(0);
            for (Index k = b.kFirst; k <= b.kLast; ++k)
                sum += factors.row(k)[i] * factors.row(k)[j];
            ASSERT_EQ(sums[static_cast<std::size_t>(i * 320 + j)], sum)
                << i << ", " << j << " of " << b.jFirst << " .. " << b.jLast << ", steps "
                << b.kFirst << " .. " << b.kLast;
        }
}

/// Some fit a cache as a whole, others go panel by panel.
template <class T>
void expectSumsOfAnyShape() {
    std::mt19937 random(11);
    const Factors<T> factors(random);
    const auto below = [&](Index n) { return static_cast<Index>(random() % n); };
    for (int time = 0; time < 120; ++time) {
        const Index most = time % 4 == 0 ? 200 : 40;
        Bounds b{below(9), 0, below(9), 0, below(9), 0};
        b.iLast = b.iFirst + below(most) - 1;
        b.jLast = b.jFirst + below(most) - 1;
        b.kLast = b.kFirst + below(300) - 1;
        const auto differs = [](Index i, Index j) { return static_cast<T>(i - 2 * j); };
        expectSums(b, factors, T(3), [](Index, Index) { return T(3); });
        expectSums(b, factors, differs, differs);
        expectSymmetricSums(b, factors);
    }
}

TEST(SumsOfProducts, AreThoseOfLoops) {
    expectSumsOfAnyShape<double>();
    expectSumsOfAnyShape<float>();
    expectSumsOfAnyShape<Index>();
}

}  // namespace
}  // namespace hpspmd::test
