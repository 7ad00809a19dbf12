// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// scan of generated arrays against a sequential loop, by operations for which the order shows.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd>

#include "cases.hpp"
#include "errors.hpp"
#include "typed.hpp"

namespace hpspmd::test {
namespace {

/// x -> scale * x + offset modulo 2^64. Composition is associative and not commutative.
struct Affine {
    std::uint64_t scale, offset;
    friend bool operator==(const Affine&, const Affine&) = default;
};

Affine then(const Affine& first, const Affine& second) {
    return {first.scale * second.scale, second.scale * first.offset + second.offset};
}

/// Arrays with elements of their own.
template <std::size_t R>
struct Scanned {
    TestArray fromLayout, toLayout;
    Indices shape;
    std::uint64_t seed;
    Typed<Affine, R> from = typed<Affine, R>(fromLayout), to = typed<Affine, R>(toLayout);

    void fill() const {
        forEachHeld(fromLayout, shape, from.data(),
                    [&](const Indices& index, Affine& element) { element = elementAt(index); });
    }
    Affine elementAt(const Indices& index) const {
        Noise noise(seed + static_cast<std::uint64_t>(valueOf(index, shape)));
        return {noise.next() | 1, noise.next()};
    }
    /// Whether `to` holds the prefixes along d; resets it.
    void check(int d) const {
        const auto along = static_cast<std::size_t>(d);
        forEachHeld(toLayout, shape, to.data(), [&](Indices index, Affine& element) {
            const Index last = index[along];
            index[along] = 0;
            Affine expected = elementAt(index);
            while (++index[along] <= last) expected = then(expected, elementAt(index));
            EXPECT_EQ(element, expected) << "along " << d;
            element = {};
        });
    }
};

template <std::size_t R>
void runCase(Random& random, const Group& grid) {
    const Indices shape = randomShape(random, static_cast<int>(R));
    const TestArray layout = randomArray(random, grid, shape, false);
    const TestArray aligned = alignedArray(layout);
    SCOPED_TRACE(describe(layout));
    const Scanned<R> own{layout, aligned, shape, 0}, other{layout, aligned, shape, 1u << 20};
    own.fill();
    other.fill();
    for (int d = 0; d < static_cast<int>(R); ++d) {
        Adlib::scan(own.to, own.from, then, d);
        own.check(d);
        Adlib::Scan schedule(own.to, own.from, then, d);
        for (int round = 0; round < 2; ++round) {
            schedule.start();
            schedule.finish();
            own.check(d);
            schedule.start(other.to, other.from);
            schedule.finish();
            other.check(d);
            schedule.execute(other.to, own.from);
            Scanned<R>{layout, aligned, shape, own.seed, own.from, other.to}.check(d);
        }
    }
}

TEST(Scan, GeneratedArrays) {
    forLiveCases(120, [](Random& random) {
        const Group grid = randomGrid(random, apg().size());
        random.oneIn(2) ? runCase<2>(random, grid) : runCase<1>(random, grid);
    });
}

TEST(Scan, GivesRunningTotals) {
    const Procs1 p;
    const BlockRange x(5, p.dim(0));
    const auto source = create<int>(p, x), total = create<int>(p, x);
    constexpr int digits[] = {3, 1, 4, 1, 5}, totals[] = {3, 4, 8, 9, 14};
    const Block own = x.localBlock();
    for (Index k = 0; k < own.count; ++k) source.data()[k] = digits[own.globalBase + k];
    Adlib::scan(total, source, std::plus<>());
    for (Index k = 0; k < own.count; ++k) EXPECT_EQ(total.data()[k], totals[own.globalBase + k]);
}

TEST(Scan, SchedulesUnderWayTogether) {
    const Procs1 p;
    const BlockRange x(300 * p.size(), p.dim(0));
    const auto a = create<long>(p, x), b = create<long>(p, x), sums = create<long>(p, x),
               products = create<long>(p, x);
    const Block own = x.localBlock();
    for (Index k = 0; k < own.count; ++k) a.data()[k] = b.data()[k] = own.globalBase + k;
    Adlib::Scan first(sums, a, std::plus<>());
    Adlib::Scan second(
        products, b, [](long u, long v) { return std::max(u, v); }, 0);
    first.start();
    second.start();
    EXPECT_MESSAGE(first.start(), "Scan: the schedule is already under way");
    second.finish();
    first.finish();
    EXPECT_MESSAGE(first.finish(), "Scan: finish() without start()");
    for (Index k = 0; k < own.count; ++k) {
        const Index last = own.globalBase + k;
        EXPECT_EQ(sums.data()[k], last * (last + 1) / 2);
        EXPECT_EQ(products.data()[k], last);
    }
}

TEST(Scan, DemandsAlignedArrays) {
    const Procs1 p;
    const auto a = create<double>(p, BlockRange(5, p.dim(0)));
    const auto b = create<double>(p, CyclicRange(5, p.dim(0)));
    EXPECT_MESSAGE(Adlib::scan(a, b, std::plus<>()), "scan: the arrays are not aligned");
    EXPECT_MESSAGE(Adlib::scan(a, like(a), std::plus<>(), 1), "scan: dimension 1 does not exist");
}

}  // namespace
}  // namespace hpspmd::test
