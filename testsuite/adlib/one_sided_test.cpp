/// get, put and accumulate between fences, against loops over the global indices.

#include <gtest/gtest.h>

#include <hpspmd>

#include "cases.hpp"
#include "errors.hpp"
#include "typed.hpp"

namespace hpspmd::test {
namespace {

/// A local array of the shape with the value of each index, for this process alone.
template <class F>
Array<std::int64_t, Seq, Seq> localArray(const Indices& shape, const F& value) {
    const auto local = create<std::int64_t>(apg(), shape[0], shape[1]);
    for (Index i = 0; i < shape[0]; ++i)
        for (Index j = 0; j < shape[1]; ++j)
            local.data()[local.stride(0) * i + local.stride(1) * j] = value({i, j});
    return local;
}

/// Every process reads a section of its own, adds to another, and puts a line into a third; the
/// array may be replicated, a section itself, of any formats.
void runCase(Random& random) {
    const Group grid = randomGrid(random, apg().size());
    Indices shape = randomShape(random, 2);
    const TestArray layout = randomArray(random, grid, shape, false);
    SCOPED_TRACE(describe(layout));
    const auto a = typed<std::int64_t, 2>(layout);
    const auto start = [&](const Indices& i) { return 100 * valueOf(i, shape); };
    forEachHeld(layout, shape, a.data(),
                [&](const Indices& i, std::int64_t& element) { element = start(i); });
    if (isEmpty(shape)) return;

    // Process q gets column q mod n from row 0 on, as all of a two-dimensional section.
    const Index columns = shape[1], rows = shape[0];
    const Index own = detail::ownRank() % columns;
    const auto all = localArray(shape, [](const Indices&) { return std::int64_t{0}; });
    const auto one = localArray({rows, 1}, [](const Indices&) { return std::int64_t{1}; });
    const auto put = localArray({1, columns}, [](const Indices& i) { return -i[1] - 1; });
    const Triplet column(own, own);
    Adlib::fence(a);
    Adlib::get(section(all, Triplet(rows - 1, 0, -1), Triplet()),
               section(a, Triplet(rows - 1, 0, -1), Triplet()));
    Adlib::accumulate(section(a, Triplet(), column), one);
    if (detail::ownRank() == 0) Adlib::put(section(a, Triplet(rows - 1, rows - 1), Triplet()), put);
    Adlib::fence(a);

    forEachIndex(shape, [&](const Indices& i) {
        EXPECT_EQ(all.data()[all.stride(0) * i[0] + all.stride(1) * i[1]], start(i));
    });
    forEachHeld(layout, shape, a.data(), [&](const Indices& i, std::int64_t& element) {
        std::int64_t expected = start(i);
        for (int q = 0; q < apg().size(); ++q) {
            if (q % columns == i[1]) ++expected;
            if (q == 0 && i[0] == rows - 1) expected = -i[1] - 1;  // after its own accumulate
        }
        EXPECT_EQ(element, expected) << i[0] << ", " << i[1];
    });
}

TEST(OneSided, GeneratedArrays) { forLiveCases(120, runCase); }

TEST(OneSided, AccumulatesByOtherOperations) {
    const Procs1 p;
    const BlockRange x(6, p.dim(0));
    const auto a = create<double>(p, x);
    for (Index k = 0; k < a.localExtent(0); ++k) a.data()[k] = 2;
    const auto ranks = create<double>(apg(), 6);
    for (Index k = 0; k < 6; ++k) ranks.data()[k] = apg().rank() + 3;
    Adlib::fence(a);
    Adlib::accumulate(a, ranks, Adlib::By::Max);
    Adlib::fence(a);
    for (Index k = 0; k < a.localExtent(0); ++k) EXPECT_EQ(a.data()[k], apg().size() + 2);
    Adlib::fence(a);
    Adlib::accumulate(a, ranks, Adlib::By::Min);
    Adlib::accumulate(section(a, 2), section(ranks, 2), Adlib::By::Product);
    Adlib::fence(a);
    const auto whole = create<double>(p, 6);
    Adlib::remap(whole, a);
    EXPECT_EQ(whole.data()[0], 3);
    double expected = apg().size() + 2;
    for (int q = 0; q < apg().size(); ++q) expected = std::min(expected, q + 3.0) * (q + 3);
    EXPECT_EQ(whole.data()[2], expected);
}

TEST(OneSided, DemandsAnEpochAndEqualShapes) {
    const Procs1 p;
    const BlockRange x(6, p.dim(0));
    const auto a = create<double>(p, x), b = create<double>(p, x);
    const auto local = create<double>(p, 6), shorter = create<double>(p, 5);
    EXPECT_MESSAGE(Adlib::get(local, a), "get: the array is not between two fences");
    Adlib::fence(a);
    EXPECT_MESSAGE(Adlib::put(b, local), "put: the array is not between two fences");
    EXPECT_MESSAGE(Adlib::get(shorter, a), "get: the shapes differ: the section is 6");
    EXPECT_MESSAGE(Adlib::accumulate(a, b), "accumulate: the local array is distributed");
    Adlib::fence(a);
    EXPECT_MESSAGE(Adlib::accumulate(a, local), "accumulate: the array is not between two fences");
}

}  // namespace
}  // namespace hpspmd::test
