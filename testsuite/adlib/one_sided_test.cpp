// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// get, put and accumulate between fences, against loops over the global indices.

#include <gtest/gtest.h>

#include <hpspmd>
#include <map>

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

/// first, first + step .. up to last, which may be before.
struct Line {
    Index first, last, step;

    Triplet triplet() const { return Triplet(first, last, step); }
    bool contains(Index k) const { return step > 0 ? k <= last : k >= last; }
};

/// One call of a process on a section of a two-dimensional array.
struct Call {
    detail::Access access;
    Line rows, columns;
    std::int64_t value;  // of all elements that it brings
    bool bringsNumber;   // fetchAdd: not an array
};

Line randomLine(Random& random, Index extent) {
    const Index first = random.below(extent), last = random.below(extent);
    const Index step = 1 + random.below(2);
    return {first, last, first <= last ? step : -step};
}

/// The calls of a process, drawn from its number, so that every process knows those of all.
std::vector<Call> callsOf(Index seed, int process, const Indices& shape) {
    Random random(static_cast<std::uint64_t>(seed * 1000 + process));
    std::vector<Call> calls(static_cast<std::size_t>(random.below(6)));  // some call nothing
    for (Call& call : calls) {
        call.access = static_cast<detail::Access>(random.below(4));
        call.rows = randomLine(random, shape[0]);
        call.columns = randomLine(random, shape[1]);
        call.value = 1 + random.below(1000);
        call.bringsNumber = random.below(2) == 0;
    }
    return calls;
}

/// The indices of a section in the order of its own ones.
std::vector<Indices> indicesOf(const Call& call) {
    std::vector<Indices> list;
    for (Index i = call.rows.first; call.rows.contains(i); i += call.rows.step)
        for (Index j = call.columns.first; call.columns.contains(j); j += call.columns.step)
            list.push_back({i, j});
    return list;
}

/// Any number of calls of each process on any sections, beside the same calls one after the other
/// on an array of this process: first all gets, then the others by process and call.
void runCalls(Random& random) {
    const Group grid = randomGrid(random, apg().size());
    const Indices shape = randomShape(random, 2);
    const TestArray layout = randomArray(random, grid, shape, false);
    const Index seed = random.below(1 << 20);
    SCOPED_TRACE(describe(layout));
    if (isEmpty(shape)) return;
    const auto a = typed<std::int64_t, 2>(layout);
    std::map<Indices, std::int64_t> expected;
    forEachIndex(shape, [&](const Indices& i) { expected[i] = 100 * valueOf(i, shape); });
    forEachHeld(layout, shape, a.data(),
                [&](const Indices& i, std::int64_t& element) { element = expected[i]; });

    struct Told {
        Array<std::int64_t, Seq, Seq> local;
        std::vector<std::int64_t> expected;
    };
    std::vector<Told> told;
    Adlib::fence(a);
    for (const Call& call : callsOf(seed, detail::ownRank(), shape)) {
        const auto part = section(a, call.rows.triplet(), call.columns.triplet());
        const auto local =
            localArray({part.size(0), part.size(1)}, [&](const Indices&) { return call.value; });
        using detail::Access;
        if (call.access == Access::Put) Adlib::put(part, local);
        if (call.access == Access::Accumulate) Adlib::accumulate(part, local);
        if (call.access == Access::FetchAdd && call.bringsNumber)
            Adlib::fetchAdd(local, part, call.value);
        if (call.access == Access::FetchAdd && !call.bringsNumber) {
            const auto by = localArray({part.size(0), part.size(1)},
                                       [&](const Indices&) { return call.value; });
            Adlib::fetchAdd(local, part, by);
        }
        if (call.access == Access::Get) Adlib::get(local, part);
        told.push_back({local, {}});
    }
    Adlib::fence(a);

    const std::map<Indices, std::int64_t> before = expected;
    for (int q = 0; q < apg().size(); ++q) {
        std::size_t k = 0;
        for (const Call& call : callsOf(seed, q, shape)) {
            std::vector<std::int64_t> values;
            for (const Indices& i : indicesOf(call)) {
                using detail::Access;
                values.push_back(call.access == Access::Get        ? before.at(i)
                                 : call.access == Access::FetchAdd ? expected[i]
                                                                   : call.value);
                if (call.access == Access::Put) expected[i] = call.value;
                if (call.access == Access::Accumulate || call.access == Access::FetchAdd)
                    expected[i] += call.value;
            }
            if (q == detail::ownRank()) told[k++].expected = values;
        }
    }
    for (const Told& each : told) {
        std::size_t n = 0;
        for (Index i = 0; i < each.local.size(0); ++i)
            for (Index j = 0; j < each.local.size(1); ++j)
                EXPECT_EQ(each.local.data()[each.local.stride(0) * i + each.local.stride(1) * j],
                          each.expected.at(n++));
    }
    forEachHeld(layout, shape, a.data(), [&](const Indices& i, std::int64_t& element) {
        EXPECT_EQ(element, expected[i]) << i[0] << ", " << i[1];
    });
}

TEST(OneSided, AnyCallsOfAnyProcess) { forLiveCases(120, runCalls); }

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
    EXPECT_MESSAGE(Adlib::fetchAdd(b, a, 1), "fetchAdd: the array for old values is distributed");
    EXPECT_MESSAGE(Adlib::fetchAdd(local, a, b), "fetchAdd: the array to add is distributed");
    EXPECT_MESSAGE(Adlib::fetchAdd(local, a, shorter), "fetchAdd: the shapes differ");
    EXPECT_MESSAGE(Adlib::fetchAdd(local, b, 1), "fetchAdd: the array is not between two fences");
    Adlib::fence(a);
    EXPECT_MESSAGE(Adlib::accumulate(a, local), "accumulate: the array is not between two fences");
}

}  // namespace
}  // namespace hpspmd::test
