// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Misuse: every call checks its demands before it communicates, on all processes alike, and says
/// what differs.

#include <gtest/gtest.h>

#include <hpspmd>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

class Errors : public testing::Test {
protected:
    Procs2 p;
    ExtBlockRange x{6, p.dim(0)};
    BlockRange y{5, p.dim(1)};
    CyclicRange z{5, p.dim(1)};
    Array<double, Dist, Dist> a = create<double>(p, x, y);
    Array<double, Dist, Dist> b = create<double>(p, x, z);
};

TEST_F(Errors, Shape) {
    const auto other = create<double>(p, x, 4);
    EXPECT_MESSAGE(Adlib::remap(a, other),
                   "remap: the shapes differ: the destination is 6 x 5, the source is 6 x 4");
    EXPECT_MESSAGE(Adlib::Remap(a, other), "Remap: the shapes differ");
}

TEST_F(Errors, Alignment) {
    EXPECT_MESSAGE(Adlib::copy(a, b),
                   "copy: the arrays are not aligned: the destination is BlockRange(5");
    EXPECT_MESSAGE(Adlib::shift(a, b, 1, 1), "shift: the arrays are not aligned");
    EXPECT_MESSAGE(Adlib::cshift(a, b, 1, 1), "cshift: the arrays are not aligned");
    EXPECT_MESSAGE(Adlib::dotProduct(a, b), "dotProduct: the arrays are not aligned");
    EXPECT_MESSAGE(Adlib::sum(a, create<bool>(p, x, z)), "the mask is CyclicRange(5");
    EXPECT_MESSAGE(Adlib::sumDim(create<double>(p, y), a, 1), "sumDim: the arrays are not aligned");
    EXPECT_MESSAGE(Adlib::sumDim(create<double>(p / y[0], x), a, 1), "the result is on");
}

TEST_F(Errors, GhostWidthsDoNotCountAsMisalignment) {
    const auto wide = create<double>(p, ExtBlockRange(6, p.dim(0), 2, 2), y);
    EXPECT_NO_THROW(Adlib::copy(wide, a));
}

TEST_F(Errors, Overlap) {
    const auto column = create<double>(p, x, 5);
    EXPECT_NO_THROW(Adlib::remap(section(column, Triplet(), Triplet(0, 3, 2)),
                                 section(column, Triplet(), Triplet(1, 3, 2))));
    const auto one = section(a, 0, 0);  // all processes hear of it, though one holds the element
    EXPECT_MESSAGE(Adlib::remap(one, one), "remap: the destination and the source overlap");
    EXPECT_MESSAGE(Adlib::remap(a, a), "remap: the destination and the source overlap");
    EXPECT_MESSAGE(Adlib::shift(a, a, 1), "shift: the destination and the source overlap");
    EXPECT_MESSAGE(Adlib::remap(section(column, Triplet(), Triplet(0, 2)),
                                section(column, Triplet(), Triplet(2, 4))),
                   "overlap");
}

TEST_F(Errors, Containment) {
    const detail::On on(p / x[0]);
    if (!on) return;
    if (p.dim(0).size() == 1) return;  // then all of p is there
    EXPECT_MESSAGE(Adlib::sum(a), "sum: the array lives on");
    EXPECT_MESSAGE(Adlib::remap(b, a), "not contained in the active process group");
    EXPECT_MESSAGE(Adlib::writeHalo(a), "writeHalo: the array lives on");
    EXPECT_MESSAGE(Adlib::broadcast(1, p), "broadcast: the");
}

TEST_F(Errors, Arguments) {
    EXPECT_MESSAGE(Adlib::shift(a, like(a), 1, 2), "shift: dimension 2 does not exist");
    EXPECT_MESSAGE(Adlib::sumDim(create<double>(p, x), a, -1), "sumDim: dimension -1");
    EXPECT_MESSAGE(Adlib::writeHalo(a, {2, 0}, {0, 0}), "writeHalo: 2 cells below the blocks");
    EXPECT_MESSAGE(Adlib::writeHalo(a, {0, 0}, {0, 1}), "writeHalo: 1 cells above the blocks");
    EXPECT_MESSAGE(Adlib::WriteHalo(a, {-1, 0}, {0, 0}), "WriteHalo: -1 cells below");
}

TEST_F(Errors, NullHandles) {
    const Array<double, Dist, Dist> null;
    EXPECT_THROW(Adlib::remap(a, null), NullArray);
    EXPECT_THROW(Adlib::writeHalo(null), NullArray);
    EXPECT_THROW(Adlib::sum(null), NullArray);
    EXPECT_THROW(Adlib::maxloc(null), NullArray);
    EXPECT_THROW(Adlib::aprintf("%g", null), NullArray);
}

TEST_F(Errors, PrintFormats) {
    const auto whole = create<int>(p, x, y);
    EXPECT_MESSAGE(Adlib::aprintf("%d", a), "'d' cannot print an array of floating-point numbers");
    EXPECT_MESSAGE(Adlib::aprintf("%g", whole), "'g' cannot print an array of signed integers");
    EXPECT_MESSAGE(Adlib::aprintf("%g %g", a), "there are only 1 arrays");
    EXPECT_MESSAGE(Adlib::aprintf("%R0", a), "it prints 0 of 1 arrays");
    EXPECT_MESSAGE(Adlib::aprintf("%g %R2", a), "%R must be followed by a dimension");
    EXPECT_MESSAGE(Adlib::aprintf("%g%0N", a), "positive period");
    EXPECT_MESSAGE(Adlib::aprintf("%*d", whole), "'*' cannot print");
    EXPECT_MESSAGE(Adlib::aprintf("%s", whole), "'s' cannot print");
    EXPECT_MESSAGE(Adlib::aprintf("%g%", a), "the conversion has no end");
    EXPECT_MESSAGE(Adlib::aprintf("%99999g", a), "too large");
    EXPECT_MESSAGE(Adlib::aprintf("%g %g", a, section(a, Triplet(0, 1), Triplet())), "shapes");
}

/// How messages name a line of this file.
std::string inLine(int line) { return "errors_test.cpp:" + std::to_string(line); }

TEST_F(Errors, NameTheLineOfTheCall) {
    EXPECT_MESSAGE(Adlib::copy(a, b), inLine(__LINE__));
    const auto s = create<int>(p, 6);
    const auto flat = create<double>(p, x);
    const auto cube = create<double>(p, 2, 2, 2);
    const auto deep = create<double>(p, 2, 2, 2, 2);
    EXPECT_MESSAGE(Adlib::gather(flat, cube, s, s, s), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::gather(flat, deep, s, s, s, s), inLine(__LINE__));
    const auto five = create<double>(p, 2, 2, 2, 2, 2);
    EXPECT_MESSAGE(Adlib::gather(flat, five, s, s, s, s, s), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::scatter(five, flat, s, s, s, s, s), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::scatter(std::plus<>(), five, flat, s, s, s, s, s), inLine(__LINE__));
    const auto wide = Adlib::halo(a, {9, 0}, {0, 0});
    EXPECT_MESSAGE(Adlib::writeHalo(a, wide), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::writeHalo(a, b, a, wide), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::writeHalo(a, b, a, b, wide), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::writeHalo(a, b, a, b, a, wide), inLine(__LINE__));
    const auto op = [](double one, double other) { return one + other; };
    EXPECT_MESSAGE(Adlib::reduceDim(create<double>(p, y), a, 1, op, 0), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::reduce(a, op, 0, create<bool>(p, x, z)), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::scan(b, a, op), inLine(__LINE__));
    EXPECT_MESSAGE(Adlib::sum(a, create<bool>(p, x, z)), inLine(__LINE__));
}

}  // namespace
}  // namespace hpspmd::test
