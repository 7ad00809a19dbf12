// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Elements of many types and sizes, structs and complex numbers among them, in every operation
/// that takes them: each does to values made of numbers what it does to the numbers, which the
/// generated cases check.

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <hpspmd>
#include <string>

namespace hpspmd::test {
namespace {

struct Rgb {
    unsigned char red, green, blue;
    bool operator==(const Rgb& o) const {
        return red == o.red && green == o.green && blue == o.blue;
    }
};
struct Particle {
    char kind;
    double position[3];
    std::complex<float> phase;
    bool operator==(const Particle& o) const {
        return kind == o.kind && position[2] == o.position[2] && phase == o.phase;
    }
};
struct Page {
    std::int32_t words[75];
    bool operator==(const Page& o) const { return std::memcmp(words, o.words, sizeof words) == 0; }
};

/// A value that tells the number, as far as the type goes.
template <class T>
T made(Index number) {
    if constexpr (std::is_same_v<T, bool>)
        return number % 3 == 1;
    else if constexpr (detail::isComplex<T>)
        return T(static_cast<typename T::value_type>(number), -1);
    else if constexpr (std::is_same_v<T, Rgb>)
        return {static_cast<unsigned char>(number), static_cast<unsigned char>(number / 256), 7};
    else if constexpr (std::is_same_v<T, Particle>)
        return {static_cast<char>(number), {0, 1, static_cast<double>(number)}, {2, 3}};
    else if constexpr (std::is_same_v<T, Page>)
        return {{static_cast<std::int32_t>(number), 1, static_cast<std::int32_t>(-number)}};
    else
        return static_cast<T>(number);
}

/// A matrix of numbers and one of the values made of them, with ghost cells that hold -1.
template <class T>
struct Both {
    Array<Index, Dist, Seq> numbers;
    Array<T, Dist, Seq> values;

    template <class X>
    Both(const Group& g, const X& x, Index columns)
        : numbers(create<Index>(g, x, columns)), values(create<T>(g, x, columns)) {
        const Index slots = g.amMember() ? numbers.storage()->slots : 0;
        for (Index k = 0; k < slots; ++k) at(k) = -1;
        for (const Block b : x.localBlocks())
            for (Index k = 0; k < b.count; ++k)
                for (Index j = 0; j < columns; ++j)
                    numbers.data()[numbers.stride(0) * (b.localBase + k * b.localStep) + j] =
                        (b.globalBase + k * b.globalStep) * columns + j;
        for (Index k = 0; k < slots; ++k) first()[k] = made<T>(at(k));
    }
    Index& at(Index slot) const { return numbers.data()[slot - numbers.offset()]; }
    T* first() const { return values.data() - values.offset(); }

    void expectSame(const char* operation) const {
        const Index slots = numbers.grp().amMember() ? numbers.storage()->slots : 0;
        for (Index k = 0; k < slots; ++k)
            EXPECT_TRUE(first()[k] == made<T>(at(k))) << operation << ", slot " << k;
    }
};

template <class T>
class Types : public testing::Test {
protected:
    Procs1 p;
    ExtBlockRange x{11, p.dim(0), 1, 1};
    CyclicRange y{11, p.dim(0)};
    Both<T> a{p, x, 4}, b{p, x, 4}, c{p, y, 4};

    /// The same call with the numbers and with the values.
    template <class Call>
    void both(const char* name, const Call& call) {
        call(a.numbers, b.numbers, c.numbers);
        call(a.values, b.values, c.values);
        for (const Both<T>* one : {&a, &b, &c}) one->expectSame(name);
    }
};

using All = testing::Types<bool, char, short, float, double, long double, std::complex<float>,
                           std::complex<double>, Rgb, Particle, Page>;
TYPED_TEST_SUITE(Types, All);

TYPED_TEST(Types, Moves) {
    const auto shifts = create<int>(this->p, 4);
    for (int j = 0; j < 4; ++j) shifts.data()[j] = 3 * j - 2;
    this->both("remap", [](auto& a, auto&, auto& c) { Adlib::remap(c, a); });
    this->both("combining remap", [](auto& a, auto& b, auto& c) {
        using T = typename std::decay_t<decltype(a)>::Element;
        Adlib::remap(c, a, [](const T&, const T& arrived) { return arrived; });
        Adlib::Remap(b, c).execute([](const T&, const T& arrived) { return arrived; });
    });
    this->both("cshift", [](auto& a, auto& b, auto&) { Adlib::cshift(b, a, 5); });
    this->both("shift", [](auto& a, auto& b, auto&) { Adlib::shift(a, b, -2); });
    this->both("skew", [&](auto& a, auto& b, auto&) { Adlib::skew(b, a, shifts, 0); });
    this->both("cskew", [&](auto& a, auto& b, auto&) { Adlib::cskew(a, b, shifts, 0); });
    this->both("copy", [](auto& a, auto& b, auto&) { Adlib::copy(b, a); });
    this->both("writeHalo", [](auto& a, auto&, auto&) {
        Adlib::writeHalo(a, {1, 0}, {1, 0}, {Adlib::Cyclic, Adlib::None});
    });
    this->both("writeHalo of two", [](auto& a, auto& b, auto&) { Adlib::writeHalo(a, b); });
    this->both("transpose", [](auto& a, auto& b, auto&) {
        const auto turned =
            create<typename std::decay_t<decltype(a)>::Element>(a.grp(), 4, a.rng(0));
        Adlib::transpose(turned, a, {1, 0});
        Adlib::transpose(b, turned, {1, 0});
        using T = typename std::decay_t<decltype(a)>::Element;
        const auto arrived = [](const T&, const T& value) { return value; };
        Adlib::transpose(turned, b, {1, 0}, arrived);
        Adlib::Transpose(a, turned, {1, 0}).execute(arrived);
    });
    this->both("setBoundary", [](auto& a, auto& b, auto&) {
        using T = typename std::decay_t<decltype(a)>::Element;
        const auto value = [](Index number) {
            if constexpr (std::is_same_v<T, Index>)
                return number;
            else
                return made<T>(number);
        };
        Adlib::setBoundary(a, value(77));
        Adlib::setBoundary(b, [&](Index i, Index j) { return value(i + 100 * j); });
    });
}

TYPED_TEST(Types, PlacesChosenAtRunTime) {
    const auto rows = create<int>(this->p, this->x, 4), columns = create<int>(this->p, this->x, 4);
    for (const Block b : this->x.localBlocks())
        for (Index k = 0; k < b.count; ++k)
            for (Index j = 0; j < 4; ++j) {
                rows.data()[rows.stride(0) * k + j] =
                    static_cast<int>((7 * (b.globalBase + k) + j) % 11);
                columns.data()[columns.stride(0) * k + j] = static_cast<int>(3 - j);
            }
    this->both("gather", [&](auto& a, auto&, auto& c) { Adlib::gather(a, c, rows, columns); });
    this->both("scatter", [&](auto& a, auto&, auto& c) { Adlib::scatter(c, a, rows, columns); });
    this->both("combining scatter", [&](auto& a, auto&, auto& c) {
        Adlib::scatter([](const auto& old, const auto&) { return old; }, c, a, rows, columns);
    });
    this->both("get and put", [](auto& a, auto&, auto& c) {
        const auto local = create<typename std::decay_t<decltype(a)>::Element>(apg(), 11, 4);
        Adlib::fence(a);
        Adlib::get(local, a);
        Adlib::fence(a);
        Adlib::fence(c);
        if (apg().rank() == 0)
            Adlib::put(section(c, Triplet(3, 8), Triplet()),
                       section(local, Triplet(0, 5), Triplet()));
        Adlib::fence(c);
    });
}

TYPED_TEST(Types, OwnOperationsAndValues) {
    const auto later = [](const auto& earlier, const auto& next) {
        static_cast<void>(earlier);
        return next;
    };
    this->both("scan", [&](auto& a, auto& b, auto&) { Adlib::scan(b, a, later, 0); });
    EXPECT_TRUE(Adlib::broadcast(made<TypeParam>(apg().rank() + 5)) == made<TypeParam>(5));
    const auto whole = create<TypeParam>(this->p, 11, 4);
    Adlib::remap(whole, this->b.values);
    const auto numbers = create<Index>(this->p, 11, 4);
    Adlib::remap(numbers, this->b.numbers);
    for (Index k = 0; k < 44; ++k)
        EXPECT_TRUE(whole.data()[k / 4 * whole.stride(0) + k % 4] ==
                    made<TypeParam>(numbers.data()[k / 4 * numbers.stride(0) + k % 4]));
    // Equal values combine to themselves.
    const TypeParam same = made<TypeParam>(9);
    const auto keep = [&](const TypeParam& one, const TypeParam& other) {
        return one == same ? one : other;
    };
    const auto line = create<TypeParam>(this->p, this->x);
    for (Index k = 0; k < line.localExtent(0); ++k) line.data()[k] = same;
    EXPECT_TRUE(Adlib::reduce(line, keep, same) == same);
    const auto result = create<TypeParam>(this->p);
    Adlib::reduceDim(result, line, 0, keep, same);
    EXPECT_TRUE(result.data()[0] == same);
}

}  // namespace
}  // namespace hpspmd::test
