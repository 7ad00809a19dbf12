// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Collectives of a process alone are done in place: they give the bits that the compiled library
/// gives, which does them where somebody looks, and raise what it raises.

#include <gtest/gtest.h>

#include <cstring>
#include <hpspmd/plain.hpp>
#include <hpspmd>
#include <thread>

namespace hpspmd::test {
namespace {

/// While it lives, the library does it all.
class Looking : public detail::Observer {
public:
    Looking() { detail::observer = this; }
    ~Looking() override { detail::observer = before_; }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;

private:
    detail::Observer* const before_ = detail::observer;
};

template <class Call>
void expectAlike(const Call& call) {
    const auto inPlace = call();
    const Looking looking;
    const auto ofLibrary = call();
    EXPECT_EQ(0, std::memcmp(&inPlace, &ofLibrary, sizeof inPlace));
}

/// The group of this process, which is the active one.
class Alone : public testing::Test {
protected:
    const Procs1 all;
    const Group own = detail::restrict(all, all.dim(0), all.dim(0).crd());
    const detail::Activate active{own};

    Array<double, Seq, Seq> matrix = create<double>(own, Index{37}, Index{19});

    Alone() {
        for (Index i = 0; i < 37; ++i)
            for (Index j = 0; j < 19; ++j) matrix(i, j) = 1.0 / double(1 + (i * 7 + j * 13) % 31);
    }
    Array<double, Seq> column(Index j) { return section(matrix, Triplet(), j); }
};

TEST_F(Alone, ReductionsOfArrays) {
    const auto v = column(3), w = column(5);
    const auto row = section(matrix, Index{4}, Triplet(2, 17, 3));
    const auto mask = create<bool>(own, Index{37});
    for (Index i = 0; i < 37; ++i) mask(i) = i % 3 != 1;
    const Array<const bool, Seq> isTaken = mask;
    expectAlike([&] { return Adlib::sum(v); });
    expectAlike([&] { return Adlib::sum(row); });
    expectAlike([&] { return Adlib::sum(v, isTaken); });
    expectAlike([&] { return Adlib::sum(Adlib::reproducible, v); });
    expectAlike([&] { return Adlib::product(v); });
    expectAlike([&] { return Adlib::maxval(v); });
    expectAlike([&] { return Adlib::dotProduct(v, w); });
    expectAlike([&] { return Adlib::dotProduct(v, w, isTaken); });
    expectAlike([&] { return Adlib::minloc(v).location[0]; });
    expectAlike([&] { return Adlib::maxloc(row).location[0]; });
    expectAlike([&] { return Adlib::count(isTaken); });
    expectAlike([&] {
        return Adlib::reduce(
            v, [](double a, double b) { return a * 0.5 + b; }, 0.0);
    });
    EXPECT_EQ(Adlib::sum(create<double>(own, Index{0})), 0.0);
    EXPECT_EQ(Adlib::sum(matrix), Adlib::sum(matrix));
}

TEST_F(Alone, ValuesAndExpressions) {
    const auto v = column(2);
    const Range x = v.rng(0);
    expectAlike([&] { return Adlib::sum(2.5); });
    expectAlike([&] { return Adlib::count(true); });
    expectAlike([&] { return Adlib::broadcast(7); });
    expectAlike([&] { return Adlib::broadcast(7, own); });
    expectAlike(
        [&] { return Adlib::sum(overall(x, Triplet(), [&](auto i) { return v(i.global) * 3; })); });
}

TEST_F(Alone, CopiesOfRows) {
    auto row = create<double>(own, Index{19}), whole = create<double>(own, Index{37});
    Adlib::remap(row, section(matrix, Index{4}, Triplet()));
    for (Index j = 0; j < 19; ++j) EXPECT_EQ(row(j), matrix(4, j));
    Adlib::remap(whole, column(6));
    for (Index i = 0; i < 37; ++i) EXPECT_EQ(whole(i), matrix(i, 6));
    Adlib::remap(section(matrix, Triplet(30, 2, -4), Index{0}), section(row, Triplet(1, 8)));
    for (Index k = 0; k < 8; ++k) EXPECT_EQ(matrix(30 - 4 * k, 0), row(1 + k));
    const auto one = create<double>(own);
    Adlib::remap(one, section(matrix, Index{3}, Index{3}));
    EXPECT_EQ(one(), matrix(3, 3));
}

TEST_F(Alone, ErrorsAreThoseOfTheLibrary) {
    const auto row = create<double>(own, Index{19});
    const Array<double, Seq> none;
    EXPECT_THROW(Adlib::remap(row, column(0)), AdlibError);  // 19 and 37
    EXPECT_THROW(Adlib::remap(row, none), NullArray);
    EXPECT_THROW(Adlib::remap(section(row, Triplet(1, 5)), section(row, Triplet(2, 6))),
                 AdlibError);
    EXPECT_THROW(Adlib::sum(none), NullArray);
    EXPECT_THROW(Adlib::dotProduct(row, column(1)), AdlibError);
    EXPECT_THROW(Adlib::writeHalo(none), NullArray);
    EXPECT_THROW(Adlib::broadcast(1, Group()), NullArray);
    if (all.size() > 1) {
        EXPECT_THROW(Adlib::broadcast(1, all), AdlibError);
    }
    EXPECT_THROW(section(matrix, Index{37}, Triplet()), OutOfBounds);
}

TEST_F(Alone, GhostCellsAreFilledAndGetStale) {
    const detail::Activate everybody(all);
    const ExtBlockRange x(Index{40}, all.dim(0), 2, 2);
    const auto a = create<double>(all, x);
    const auto isFresh = [&] { return a.ghosts()->areFresh(a.maps()[0], 0, 2, 2); };
    Adlib::writeHalo(a);
    EXPECT_TRUE(isFresh());
    Adlib::writeHalo(a, {1}, {1}, {Adlib::Cyclic});
    a.ghosts()->write();
    EXPECT_FALSE(isFresh());  // copies of the other end, also of a process alone
    Adlib::writeHalo(a, {2}, {2}, {Adlib::Cyclic});
    EXPECT_TRUE(isFresh());
}

}  // namespace
}  // namespace hpspmd::test
