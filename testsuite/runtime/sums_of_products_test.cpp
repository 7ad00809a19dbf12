// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums of products by tiles, compared with loops. All sums are whole numbers, so they are exact.

#include <gtest/gtest.h>

#include <hpspmd/sums_of_products.hpp>

#include <cstdlib>
#include <functional>
#include <random>
#include <utility>
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
        for (Index k = 0; k < most; ++k)
            for (Index j = 0; j < most; ++j) turned_[place(j, k)] = right_[place(k, j)];
    }

    T left(Index i, Index k) const { return left_[place(i, k)]; }
    const T* row(Index k) const { return right_.data() + place(k, 0); }
    /// The same numbers, below one another.
    const T* column(Index k) const { return turned_.data() + k; }

private:
    static constexpr Index most = 320;
    static std::size_t place(Index i, Index j) { return static_cast<std::size_t>(i * most + j); }
    std::vector<T> left_ = std::vector<T>(most * most), right_ = left_, turned_ = left_;
};

/// A loop over k that adds to sums.
struct Steps {
    std::function<detail::Span(Index i)> of;
    bool isDownwards = false;
};

template <class T>
class Sums {
public:
    T& operator()(Index i, Index j) { return sums_[static_cast<std::size_t>(i * 320 + j)]; }

    /// Of rows first .. last and the columns of each: `start(i, j)` and what the steps add.
    void expect(const Factors<T>& factors, const detail::Span& rows,
                const std::function<detail::Span(Index i)>& columns,
                const std::function<T(Index i, Index j)>& start, const std::vector<Steps>& all) {
        std::vector<T> given = std::exchange(sums_, std::vector<T>(320 * 320, T(-1)));
        for (Index i = rows.first; i <= rows.last; ++i)
            for (Index j = columns(i).first; j <= columns(i).last; ++j) {
                T& sum = (*this)(i, j) = start(i, j);
                for (const Steps& steps : all) {
                    const detail::Span own = steps.of(i);
                    for (Index n = 0; n < own.count(); ++n) {
                        const Index k = steps.isDownwards ? own.last - n : own.first + n;
                        sum += factors.left(i, k) * factors.row(k)[j];
                    }
                }
            }
        ASSERT_EQ(given, sums_) << "rows " << rows.first << " .. " << rows.last << ", columns "
                                << columns(rows.first).first << " .. " << columns(rows.first).last
                                << ", steps " << all[0].of(rows.first).first << " .. "
                                << all[0].of(rows.first).last;
    }

private:
    std::vector<T> sums_ = std::vector<T>(320 * 320, T(-1));
};

/// `start`: a number, or a function whose values are `startAt(i, j)`.
template <class T, class Start, class StartAt, class Terms>
void expectSums(const Bounds& b, const Factors<T>& factors, const Start& start,
                const StartAt& startAt, const Terms& terms) {
    Sums<T> sums;
    detail::sumsOfProducts(
        b.iFirst, b.iLast, b.jFirst, b.jLast, [&](Index i, Index j, T sum) { sums(i, j) = sum; },
        detail::sumFrom(start, terms));
    sums.expect(factors, {b.iFirst, b.iLast},
                [&](Index) {
                    return detail::Span{b.jFirst, b.jLast};
                },
                startAt, {{[&](Index) {
                    return detail::Span{b.kFirst, b.kLast};
                }}});
}

/// The factors one by one, and computed before.
template <class T, class Start, class StartAt>
void expectSums(const Bounds& b, const Factors<T>& factors, const Start& start,
                const StartAt& startAt) {
    const auto row = [&](Index k, const auto& place) { return place.at(factors.row(k)); };
    expectSums(b, factors, start, startAt,
               detail::terms(b.kFirst, b.kLast, row, [&](Index i, Index k, const auto& values) {
                   return factors.left(i, k) * values;
               }));
    expectSums(b, factors, start, startAt,
               detail::terms(
                   b.kFirst, b.kLast, row,
                   [](Index, Index, T factor, const auto& values) { return factor * values; },
                   [&](Index i, Index k) { return factors.left(i, k); }));
}

template <class T>
void expectSymmetricSums(const Bounds& b, const Factors<T>& factors) {
    std::vector<T> sums(320 * 320, T(-1));
    detail::symmetricSumsOfProducts(
        b.jFirst, b.jLast,
        [&](Index i, Index j, T sum) { sums[static_cast<std::size_t>(i * 320 + j)] = sum; },
        detail::sumFrom(
            T(0), detail::terms(
                      b.kFirst, b.kLast,
                      [&](Index k, const auto& place) { return place.at(factors.row(k)); },
                      [&](Index i, Index k, const auto& row) { return factors.row(k)[i] * row; })));
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

/// Columns up to i + `across`, in two loops: upwards to i - 1, and downwards from the last step to
/// i + 1. They read `factors` below one another; the latter is the difference of two sums.
template <class T>
void expectRaggedSums(const Bounds& b, Index across, const Factors<T>& factors) {
    Sums<T> sums;
    const auto jLast = [&](Index i) { return std::min(i + across, b.jLast); };
    const auto before = [&](Index i) { return i - 1; };
    const auto behind = [&](Index i) { return i + 1; };
    const auto start = [&](Index i, Index j) { return static_cast<T>(i - 2 * j); };
    const auto column = [&](Index k, const auto& place) {
        return place.turned(factors.column(k), 320, 0);
    };
    const auto left = [&](Index i, Index k) { return factors.left(i, k); };
    const auto term = [&](Index i, Index k, const auto& row) { return left(i, k) * row; };
    const auto byFactor = [](Index, Index, T factor, const auto& row) { return factor * row; };
    detail::sumsOfProducts(
        b.iFirst, b.iLast, b.jFirst, jLast,
        [&](Index i, Index j, T sum, T twice) { sums(i, j) = twice - sum; },
        detail::sumFrom(T(0), detail::terms<-1>(b.kLast, behind, column, term)),
        detail::sumFrom(start,
                        detail::terms(
                            b.kFirst, before,
                            [&](Index k, const auto& place) {
                                return detail::several(place.turned(factors.column(k), 320, 0),
                                                       place.across(factors.column(k), 320) * T(2));
                            },
                            [&](Index i, Index k, const auto& rows) {
                                return factors.left(i, k) * (rows[1] - rows[0]);
                            }),
                        detail::terms<-1>(b.kLast, behind, column, term),
                        detail::terms<-1>(b.kLast, behind, column, byFactor, left)));
    sums.expect(factors, {b.iFirst, b.iLast},
                [&](Index i) {
                    return detail::Span{b.jFirst, jLast(i)};
                },
                start,
                {{[&](Index i) {
                     return detail::Span{b.kFirst, i - 1};
                 }},
                 {[&](Index i) {
                      return detail::Span{i + 1, b.kLast};
                  },
                  true}});
}

/// Some fit a cache as a whole, others go panel by panel.
template <class T>
void expectSumsOfAnyShape() {
    std::mt19937 random(11);
    const Factors<T> factors(random);
    const auto below = [&](Index n) { return static_cast<Index>(random() % n); };
    const int times = std::getenv("FEWER_STEPS") ? 4 : 120;
    for (int time = 0; time < times; ++time) {
        const Index most = time % 4 == 0 ? 200 : 40;
        Bounds b{below(9), 0, below(9), 0, below(9), 0};
        b.iLast = b.iFirst + below(most) - 1;
        b.jLast = b.jFirst + below(most) - 1;
        b.kLast = b.kFirst + below(300) - 1;
        const auto differs = [](Index i, Index j) { return static_cast<T>(i - 2 * j); };
        expectSums(b, factors, T(3), [](Index, Index) { return T(3); });
        expectSums(b, factors, differs, differs);
        expectSymmetricSums(b, factors);
        expectRaggedSums(b, below(60) - 30, factors);
    }
}

TEST(SumsOfProducts, AreThoseOfLoops) {
    expectSumsOfAnyShape<double>();
    expectSumsOfAnyShape<float>();
    expectSumsOfAnyShape<Index>();
}

}  // namespace
}  // namespace hpspmd::test
