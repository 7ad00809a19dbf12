// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public calls: typed arrays, schedule objects, sections, elements of any size.

#include <gtest/gtest.h>

#include <complex>
#include <hpspmd>

namespace hpspmd::test {
namespace {

/// Calls f(i, j, element) for the elements that this process holds.
template <class A, class F>
void forEachElement(const A& a, const F& f) {
    if (!a.grp().amMember()) return;
    for (const Block b : a.rng(0).localBlocks())
        for (Index k = 0; k < b.count; ++k)
            for (const Block c : a.rng(1).localBlocks())
                for (Index l = 0; l < c.count; ++l)
                    f(b.globalBase + k * b.globalStep, c.globalBase + l * c.globalStep,
                      a.data()[a.stride(0) * (b.localBase + k * b.localStep) +
                               a.stride(1) * (c.localBase + l * c.localStep)]);
}

double code(Index i, Index j) { return 100.0 * static_cast<double>(i) + static_cast<double>(j); }

template <class A>
void number(const A& a) {
    forEachElement(a, [](Index i, Index j, double& element) { element = code(i, j); });
}

class Calls : public testing::Test {
protected:
    Procs2 p;
    ExtBlockRange x{6, p.dim(0), 1, 2}, y{5, p.dim(1), 1, 1};
    CyclicRange u{6, p.dim(1)};
    BlockCyclicRange v{5, p.dim(0), 2};
};

TEST_F(Calls, RemapToTransposedGridAndBack) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y), b = create<double>(p, u, v), c = like(a);
    number(a);
    Adlib::remap(b, a);
    forEachElement(b, [](Index i, Index j, double e) { EXPECT_EQ(e, code(i, j)); });
    Adlib::remap(c, Array<const double, Dist, Dist>(b));  // a const source is enough
    forEachElement(c, [](Index i, Index j, double e) { EXPECT_EQ(e, code(i, j)); });
}

TEST_F(Calls, RemapReplicatesARowAndOneElement) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y);
    number(a);
    const auto row = create<double>(p, 5);
    Adlib::remap(row, section(a, 4, Triplet()));
    for (Index j = 0; j < 5; ++j) EXPECT_EQ(row.data()[j], code(4, j));
    const auto one = create<double>(p);
    Adlib::remap(one, section(a, 5, 3));
    EXPECT_EQ(one.data()[0], code(5, 3));
    Adlib::remap(section(a, 0, 0), section(a, 5, 4));
    forEachElement(a, [](Index i, Index j, double e) {
        EXPECT_EQ(e, i == 0 && j == 0 ? code(5, 4) : code(i, j));
    });
}

TEST_F(Calls, RemapReadsASplitDimension) {
    const detail::On on(p);
    const auto a = create<double>(p, x, 2);
    number(a);
    const auto blocks = section(a, split, Triplet());
    EXPECT_EQ(blocks.size(0), p.dim(0).size());
    const auto copies = create<double>(p, blocks.size(0), blocks.size(1), 2);
    Adlib::remap(copies, blocks);
    for (Index i = 0; i < 6; ++i) {
        const Location at = x.location(i);
        EXPECT_EQ(copies.data()[(at.crd * blocks.size(1) + at.sub) * 2 + 1], code(i, 1));
    }
}

struct Point {
    char tag;
    float position[3];
    bool operator==(const Point& o) const { return tag == o.tag && position[2] == o.position[2]; }
};

template <class T, class Make>
void remapOf(const Group& g, const Range& from, const Range& to, const Make& make) {
    const auto a = create<T>(g, from, 3);
    const auto b = create<T>(g, 3, to);
    forEachElement(a, [&](Index i, Index j, T& element) { element = make(i * 3 + j); });
    for (Index j = 0; j < 3; ++j) Adlib::remap(section(b, j, Triplet()), section(a, Triplet(), j));
    forEachElement(b, [&](Index j, Index i, const T& e) { EXPECT_TRUE(e == make(i * 3 + j)); });
}

TEST_F(Calls, ElementsOfAnyTriviallyCopyableType) {
    const detail::On on(p);
    remapOf<char>(p, x, u, [](Index k) { return static_cast<char>(k); });
    remapOf<short>(p, x, u, [](Index k) { return static_cast<short>(k * 999); });
    remapOf<std::complex<double>>(
        p, x, u, [](Index k) { return std::complex<double>(static_cast<double>(k), 0.5); });
    remapOf<Point>(p, x, u, [](Index k) { return Point{'a', {0, 1, static_cast<float>(k)}}; });
}

TEST_F(Calls, SchedulesServeManyExecutionsAndArrays) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y), other = like(a), b = create<double>(p, u, v);
    const auto third = like(b);
    Adlib::Remap remap(b, a);
    for (int round = 1; round <= 3; ++round) {
        forEachElement(a, [&](Index i, Index j, double& e) { e = code(i, j) * round; });
        remap.execute();
        forEachElement(b, [&](Index i, Index j, double e) { EXPECT_EQ(e, code(i, j) * round); });
    }
    number(other);
    remap.start(third, other);
    remap.finish();
    forEachElement(third, [](Index i, Index j, double e) { EXPECT_EQ(e, code(i, j)); });
    EXPECT_THROW(remap.execute(third, create<double>(p, x, 5)), AdlibError);
    EXPECT_THROW(remap.finish(), AdlibError);
    Adlib::Remap moved = std::move(remap);
    moved.execute();

    Adlib::Sum total(a);
    Adlib::Maxloc largest(a);
    EXPECT_EQ(total.execute(), Adlib::sum(a));
    EXPECT_EQ(largest.execute().location, (std::array<Index, 2>{5, 4}));
    const auto sums = create<double>(p, x);
    Adlib::SumDim along(sums, a, 1);
    along.execute();
    EXPECT_EQ(Adlib::sum(sums), total.execute());
    Adlib::DotProduct dot(a, a);
    EXPECT_EQ(dot.execute(), Adlib::dotProduct(a, a));
}

TEST_F(Calls, Transpose) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y), b = create<double>(p, v, u);
    number(a);
    Adlib::transpose(b, a, {1, 0});
    forEachElement(b, [](Index j, Index i, double e) { EXPECT_EQ(e, code(i, j)); });
    Adlib::Transpose(b, a, {1, 0}).execute();
    EXPECT_THROW(Adlib::transpose(b, a, {0, 1}), AdlibError);  // 5 x 6 from 6 x 5
    EXPECT_THROW(Adlib::transpose(b, a, {1, 1}), AdlibError);
}

TEST_F(Calls, ShiftsAndCopies) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y), b = like(a), c = create<double>(p, x, y);
    number(a);
    Adlib::shift(b, a, -2, 1);
    forEachElement(b,
                   [](Index i, Index j, double e) { EXPECT_EQ(e, j < 2 ? 0.0 : code(i, j - 2)); });
    Adlib::Cshift(b, a, 7).execute();
    forEachElement(b, [](Index i, Index j, double e) { EXPECT_EQ(e, code((i + 7) % 6, j)); });
    Adlib::copy(c, a);
    Adlib::Copy(c, a).execute();
    forEachElement(c, [](Index i, Index j, double e) { EXPECT_EQ(e, code(i, j)); });
}

TEST_F(Calls, HaloAndBoundary) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y);
    number(a);
    Adlib::setBoundary(a, [](Index i, Index j) { return 0.5 + code(i, j); });
    Adlib::writeHalo(a);
    if (a.localExtent(0) == 0 || a.localExtent(1) == 0) return;
    const Block rows = x.localBlock(), columns = y.localBlock();
    for (Index k = -1; k < rows.count + 2; ++k)
        for (Index l = -1; l < columns.count + 1; ++l) {
            const Index i = rows.globalBase + k, j = columns.globalBase + l;
            const bool inside = i >= 0 && i < 6 && j >= 0 && j < 5;
            EXPECT_EQ(a.data()[a.stride(0) * k + a.stride(1) * l],
                      code(i, j) + (inside ? 0.0 : 0.5));
        }
}

TEST_F(Calls, HaloWithWidthsAndModes) {
    const detail::On on(p);
    const auto a = create<double>(p, x, y);
    number(a);
    Adlib::setBoundary(a, -1);
    Adlib::WriteHalo halo(a, {1, 0}, {1, 1}, {Adlib::Cyclic, Adlib::None});
    halo.execute();
    Adlib::writeHalo(a, {0, 1}, {0, 1});
    if (a.localExtent(0) == 0 || a.localExtent(1) == 0) return;
    const Block rows = x.localBlock(), columns = y.localBlock();
    const Index above = (rows.globalBase + rows.count) % 6;
    EXPECT_EQ(a.data()[a.stride(0) * rows.count], code(above, columns.globalBase));
    const double left =
        columns.globalBase == 0 ? -1 : code(rows.globalBase, columns.globalBase - 1);
    EXPECT_EQ(a.data()[-a.stride(1)], left);
}

}  // namespace
}  // namespace hpspmd::test
