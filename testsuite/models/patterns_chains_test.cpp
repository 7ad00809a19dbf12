// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tables of chains, each beside its loop written out, over arrays of every kind and of few
/// elements; classes of the program as elements; where errors say they are.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <hpspmd/patterns.hpp>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <set>
#include <string>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

using patterns::map;
using patterns::reduce;
using patterns::zip;

/// Element k of the three arrays of a table.
double first(Index k) { return static_cast<double>(k % 17) + 0.5; }
long second(Index k) { return (k * k + 3) % 29; }
float third(Index k) { return static_cast<float>(k % 5) - 2; }

struct Scale {
    double factor;
    double operator()(double x) const { return factor * x; }
};

double halved(double x) { return x / 2; }

/// use(chain, element), where element(x, y, z) is what the chain makes of them.
template <class Use>
void forEachMap(const Use& use) {
    const double alpha = 2.5;
    const std::vector<double> table = {1, 4, 9};
    const auto sum = [](double x, long y, float z) { return x + double(y) + z; };
    const auto parts = [](double x, long y, float z) { return std::tuple(z, x - double(y)); };
    use(map(sum), sum);
    use(zip | map(sum), sum);
    use(map(sum) | map(halved) | map(Scale{4}), [=](auto... x) { return 4 * halved(sum(x...)); });
    use(map(parts) | map([](float z, double d) { return d * z; }),
        [](double x, long y, float z) { return (x - double(y)) * z; });
    use(map([alpha](double x, long y, float) { return alpha * x + double(y); }),
        [](double x, long y, float) { return 2.5 * x + double(y); });
    use(map([&table](double x, long y, float) { return x + table[std::size_t(y % 3)]; }),
        [](double x, long y, float) { return x + double((y % 3 + 1) * (y % 3 + 1)); });
    use(map([](const auto&... x) { return sizeof...(x) + 0.0; }), [](auto...) { return 3.0; });
    const std::function<double(double, long, float)> held = sum;
    use(map(held) | (map(halved) | map(halved)),
        [=](auto... x) { return halved(halved(sum(x...))); });
}

/// use(chain, element, op, init): the same for chains that end with a reduce; exact numbers.
template <class Use>
void forEachReduction(const Use& use) {
    const auto y = [](double, long y, float) { return y; };
    const auto largest = [](long s, long t) { return std::max(s, t); };
    use(map(y) | reduce(std::plus<>(), 7L), y, std::plus<>(), 7L);
    use(zip | map(y) | reduce(std::bit_xor<>(), 0L), y, std::bit_xor<>(), 0L);
    use(map(y) | reduce(largest, -1L), y, largest, -1L);
    const auto quarters = [](double x, long, float z) { return x * z; };
    use(map(quarters) | reduce(std::plus<double>(), 0.25), quarters, std::plus<>(), 0.25);
    // Associative, but not commutative: affine functions modulo a prime, one after the other.
    struct Affine {
        long factor, shift;
        bool operator==(const Affine& b) const { return factor == b.factor && shift == b.shift; }
    };
    const auto affine = [](double x, long y, float) { return Affine{long(2 * x), y}; };
    const auto then = [](Affine s, Affine t) {
        return Affine{s.factor * t.factor % 10007, (s.shift * t.factor + t.shift) % 10007};
    };
    use(map(affine) | reduce(then, Affine{1, 5}), affine, then, Affine{1, 5});
}

template <class T, class Element, class Op>
T reducedOf(Index n, const Element& element, const Op& op, T total) {
    for (Index k = 0; k < n; ++k) total = op(total, T(element(first(k), second(k), third(k))));
    return total;
}

struct Vectors {
    std::vector<double> a;
    std::vector<long> b;
    std::vector<float> c;

    explicit Vectors(Index n) {
        for (Index k = 0; k < n; ++k) {
            a.push_back(first(k));
            b.push_back(second(k));
            c.push_back(third(k));
        }
    }
};

constexpr Index sizes[] = {0, 1, 2, 3, 5, 64, 1023, 1024, 2077};

TEST(PatternChains, OfVectors) {
    for (const Index n : sizes) {
        const Vectors of(n);
        forEachMap([&](const auto& chain, const auto& element) {
            std::vector<double> into(of.a.size());
            const std::vector<double> found = chain(of.a, of.b, of.c);
            chain.into(into, of.a, of.b, of.c);
            ASSERT_EQ(found.size(), of.a.size());
            for (std::size_t k = 0; k < found.size(); ++k) {
                EXPECT_EQ(found[k], element(of.a[k], of.b[k], of.c[k]));
                EXPECT_EQ(into[k], found[k]);
            }
        });
        forEachReduction([&](const auto& chain, const auto& element, auto op, auto init) {
            EXPECT_TRUE(chain(of.a, of.b, of.c) == reducedOf(n, element, op, init)) << n;
        });
    }
}

/// Ranges of n of each format; the number of elements may be less than that of processes.
std::vector<Range> ranges(Index n, const Dimension& d) {
    return {BlockRange(n, d), CyclicRange(n, d), BlockCyclicRange(n, d, 2),
            ExtBlockRange(n, d, 1, 1), CollapsedRange(n)};
}

TEST(PatternChains, OfDistributedArrays) {
    const Procs1 p;
    for (const Index n : {0, 1, 2, 3, 5, 301})
        for (const Range& x : ranges(n, p.dim(0))) {
            const Array<double, Dist> a = create<double>(p, x), into = create<double>(p, x);
            const Array<long, Dist> b = create<long>(p, x);
            const Array<float, Dist> c = create<float>(p, x);
            const On on(p);
            for (auto i : overall(x)) {
                a(i) = first(i.global);
                b(i) = second(i.global);
                c(i) = third(i.global);
            }
            forEachMap([&](const auto& chain, const auto& element) {
                const Array<double, Dist> found = chain(a, b, c);
                chain.into(into, a, b, c);
                for (auto i : overall(x)) {
                    EXPECT_EQ(found(i), element(a(i), b(i), c(i)));
                    EXPECT_EQ(into(i), found(i));
                }
            });
            // Where processes do not hold stretches of the elements, their order is another.
            const bool isInOrder = detail::fits(x, BlockRange(n, p.dim(0))) || p.dim(0).size() == 1;
            if (!isInOrder) continue;
            forEachReduction([&](const auto& chain, const auto& element, auto op, auto init) {
                EXPECT_TRUE(chain(a, b, c) == reducedOf(n, element, op, init)) << n;
            });
        }
}

TEST(PatternChains, OfSequentialArraysOfRank3) {
    const Index extents[][3] = {{4, 5, 6}, {7, 1, 3}, {1, 1, 1}, {0, 3, 3}, {3, 4, 0}, {500, 2, 1}};
    for (const auto& n : extents) {
        using Cube = Array<double, Seq, Seq, Seq>;
        const Cube a = create<double>(apg(), n[0], n[1], n[2]);
        const Array<long, Seq, Seq, Seq> b = create<long>(apg(), n[0], n[1], n[2]);
        const Array<float, Seq, Seq, Seq> c = create<float>(apg(), n[0], n[1], n[2]);
        const auto forEach = [&](const auto& use) {
            for (Index i = 0, t = 0; i < n[0]; ++i)
                for (Index j = 0; j < n[1]; ++j)
                    for (Index k = 0; k < n[2]; ++k, ++t) use(i, j, k, t);
        };
        forEach([&](Index i, Index j, Index k, Index t) {
            a(i, j, k) = first(t);
            b(i, j, k) = second(t);
            c(i, j, k) = third(t);
        });
        forEachMap([&](const auto& chain, const auto& element) {
            const Cube found = chain(a, b, c);
            forEach([&](Index i, Index j, Index k, Index t) {
                EXPECT_EQ(found(i, j, k), element(first(t), second(t), third(t)));
            });
        });
        forEachReduction([&](const auto& chain, const auto& element, auto op, auto init) {
            EXPECT_TRUE(chain(a, b, c) == reducedOf(n[0] * n[1] * n[2], element, op, init));
        });
    }
}

/// A row may go on in the next one where all arrays have no gaps, and in no other case.
TEST(PatternChains, GapsInSomeOfTheArrays) {
    const Array<int, Seq, Seq> whole = create<int>(apg(), 6, 5), wide = create<int>(apg(), 6, 8);
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 8; ++j) wide(i, j) = int(10 * i + j);
    const auto middle = section(wide, Triplet(), Triplet(2, 6));
    const auto copy = map([](int x) { return x; });
    copy.into(whole, middle);
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 5; ++j) EXPECT_EQ(whole(i, j), 10 * i + j + 2);
    map([](int x) { return -x; }).into(middle, whole);
    const auto steps = section(wide, Triplet(0, 5, 2), Triplet(0, 7, 3));
    copy.into(steps, map([](int) { return 7; })(steps));
    for (Index i = 0; i < 6; ++i)
        for (Index j = 0; j < 8; ++j) {
            const int negative = int(10 * i + j);
            const bool inSteps = i % 2 == 0 && j % 3 == 0, inMiddle = j >= 2 && j <= 6;
            EXPECT_EQ(wide(i, j), inSteps ? 7 : inMiddle ? -negative : negative);
        }
    EXPECT_EQ(reduce(std::plus<>(), 0)(steps), 7 * 9);
    const auto column = section(wide, Triplet(), Triplet(3, 3));
    EXPECT_EQ(reduce(std::plus<>(), 0)(column), 7 * 3 - 13 - 33 - 53);
}

class Money {
public:
    Money() = default;
    explicit Money(long cents) : cents_(cents) {}
    long cents() const { return cents_; }
    Money operator+(Money other) const { return Money(cents_ + other.cents_); }

private:
    long cents_ = -1;
};

TEST(PatternChains, ClassesOfTheProgramAsElements) {
    const Procs1 p;
    const BlockRange x(23, p.dim(0));
    const On on(p);
    const Array<int, Dist> pieces = create<int>(p, x);
    for (auto i : overall(x)) pieces(i) = int(i.global);
    const Array<Money, Dist> prices = map([](int n) { return Money(250 * n); })(pieces);
    for (auto i : overall(x)) EXPECT_EQ(prices(i).cents(), 250 * i.global);
    const auto all = map([](Money each, int n) { return n % 2 ? each : Money(0); }) |
                     reduce(std::plus<>(), Money(7));
    EXPECT_EQ(all(prices, pieces).cents(), 7 + 250 * 11 * 11);
    const std::vector<Money> purse = {Money(5), Money(50)};
    EXPECT_EQ(map(&Money::cents)(purse), (std::vector<long>{5, 50}));
    EXPECT_EQ(reduce(std::plus<>(), Money(1))(purse).cents(), 56);
}

TEST(PatternChains, TuplesAreReducedOverProcesses) {
    const Procs1 p;
    const On on(p);
    for (const Index n : {0, 1, 40}) {
        const BlockRange x(n, p.dim(0));
        const Array<double, Dist> a = create<double>(p, x);
        for (auto i : overall(x)) a(i) = double((i.global * 7 + 3) % 41);
        using Ends = std::tuple<double, std::pair<double, int>>;
        const auto ends =
            map([](double e) {
                return Ends(e, {e, 1});
            }) |
            reduce(
                [](const Ends& s, const Ends& t) {
                    const auto& [low, high] = s;
                    const auto& [low2, high2] = t;
                    return Ends(std::min(low, low2),
                                {std::max(high.first, high2.first), high.second + high2.second});
                },
                Ends(99, {-99, 0}));
        const Ends wanted = n == 0   ? Ends(99, {-99, 0})
                            : n == 1 ? Ends(3, {3, 1})
                                     : Ends(0, {40, 40});
        EXPECT_EQ(ends(a), wanted);
    }
}

TEST(PatternChains, WhatIsCapturedIsReadAtEachApplication) {
    double factor = 2;
    const auto scaled = map([&factor](double x) { return factor * x; });
    const std::vector<double> a = {1, 2, 3};
    EXPECT_EQ(scaled(a), (std::vector<double>{2, 4, 6}));
    factor = 10;
    EXPECT_EQ(scaled(a), (std::vector<double>{10, 20, 30}));
    const auto kept = map([factor](double x) { return factor * x; });
    factor = 0;
    EXPECT_EQ(kept(a), (std::vector<double>{10, 20, 30}));
    EXPECT_EQ(a.size(), scaled(a).size());
}

/// Like a std::span, which C++17 does not have.
template <class T>
struct View {
    T* first;
    std::size_t count;
    T* data() const { return first; }
    std::size_t size() const { return count; }
};

TEST(PatternChains, ViewsOfElements) {
    std::vector<int> all = {1, 2, 3, 4, 5, 6};
    const View<const int> front{all.data(), 3};
    View<int> back{all.data() + 3, 3};
    map([](int x, int y) { return 10 * x + y; }).into(back, front, back);
    EXPECT_EQ(all, (std::vector<int>{1, 2, 3, 14, 25, 36}));
    EXPECT_EQ(reduce(std::plus<>(), 0)(back), 75);
    map([](int x) { return x + 1; }).into(View<int>{all.data(), 2}, View<int>{all.data(), 2});
    EXPECT_EQ(all[1], 3);
}

/// The line that the message of an AdlibError names, and the line of the call.
#define LINES(call) std::pair(lineOf(messageOf([&] { call; })), __LINE__)

int lineOf(const std::string& message) {
    const std::string name = "patterns_chains_test.cpp:";
    const std::size_t at = message.find(name);
    return at == std::string::npos ? 0 : std::stoi(message.substr(at + name.size()));
}

TEST(PatternChains, ErrorsNameThePlaceOfTheCall) {
    const auto add = map([](auto... x) { return (0 + ... + x); });
    const auto sum = add | reduce(std::plus<>(), 0);
    const std::vector<int> three(3), four(4);
    std::vector<int> five(5);
    const auto expectSame = [](std::pair<int, int> lines) { EXPECT_EQ(lines.first, lines.second); };
    expectSame(LINES(add(three, four)));
    expectSame(LINES(sum(three, four)));
    expectSame(LINES(sum(three, three, three, three, three, three, three, four)));
    expectSame(LINES(add.into(five, three)));
    expectSame(LINES(add.into(std::tie(five), three)));
    const Array<int, Seq> none, here = create<int>(apg(), 3);
    EXPECT_THROW(add(here, none), NullArray);
    expectSame(LINES(add(here, create<int>(apg(), 4))));
    const Procs1 p;
    const On on(p);
    const Array<int, Dist> a = create<int>(p, BlockRange(8, p.dim(0))),
                           b = create<int>(p, BlockRange(9, p.dim(0)));
    expectSame(LINES(add(a, b)));
    expectSame(LINES(add.into(b, a)));
    EXPECT_MESSAGE(add.into(b, a), "the first array is 8, the result is 9");
    // Of more than eight arrays: where the pattern was written.
    EXPECT_NE(lineOf(messageOf(
                  [&] { add(three, three, three, three, three, three, three, three, four); })),
              0);
    EXPECT_MESSAGE(add(three, three, three, three, three, three, three, three, four),
                   "the array after these has 4");
}

TEST(PatternChains, MoreThanEightArrays) {
    const std::vector<int> a = {1, 2};
    const auto add = map([](auto... x) { return (0 + ... + x); });
    std::vector<int> r(2);
    EXPECT_EQ(add(a, a, a, a, a, a, a, a, a), (std::vector<int>{9, 18}));
    add.into(r, a, a, a, a, a, a, a, a, a, a);
    EXPECT_EQ(r, (std::vector<int>{10, 20}));
}

}  // namespace
}  // namespace hpspmd::test
