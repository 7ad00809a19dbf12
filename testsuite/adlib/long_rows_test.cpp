// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of sections with long rows, which one process writes where they lie.

#include <hpspmd/plain.hpp>

#include "files/pieces.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

// Sections of which rows are written where they lie, by one process: one after the other, apart by
// one step, backwards; and one whose rows have no one step.
using LongRows = Files;

TEST_F(LongRows, AreWrittenWhereTheyLie) {
    const Procs1 p;
    const detail::On on(p);
    const BlockRange x(6, p.dim(0));
    const auto a = create<double>(p, x, 10, 200);
    for (auto i : overall(x))
        for (Index j = 0; j < 10; ++j)
            for (Index k = 0; k < 200; ++k)
                a(i, j, k) = static_cast<double>((i.global * 10 + j) * 200 + k);
    struct Part {
        Index lower, upper, step;
        Triplet triplet() const { return Triplet(lower, upper, step); }
    };
    const std::vector<Part> all = {{0, 5, 1}, {0, 9, 1}, {0, 199, 1}};
    const auto expect = [&](const Part& first, const Part& second, const Part& third) {
        const auto part = section(a, first.triplet(), second.triplet(), third.triplet());
        for (const char* name : {"rows.npy", "rows.npz", "rows.h5", "rows.raw"}) {
            Adlib::write(path(name), part);
            const auto found =
                create<double>(p, part.size(0), CyclicRange(part.size(1), p.dim(0)), part.size(2));
            Adlib::read(found, path(name));
            for (Index i = 0; i < part.size(0); ++i)
                for (auto j : overall(found.rng(1)))
                    for (Index k = 0; k < part.size(2); ++k)
                        ASSERT_EQ(found(i, j, k),
                                  static_cast<double>(((first.lower + i * first.step) * 10 +
                                                       second.lower + j.global * second.step) *
                                                          200 +
                                                      third.lower + k * third.step))
                            << name;
        }
    };
    expect(all[0], all[1], all[2]);
    expect(all[0], all[1], {3, 180, 1});
    expect(all[0], {2, 8, 1}, all[2]);
    expect(all[0], {2, 8, 1}, {3, 180, 1});
    expect({5, 0, -1}, all[1], all[2]);
    expect({5, 0, -2}, {9, 1, -2}, all[2]);
    expect({4, 4, 1}, {9, 1, -2}, {10, 190, 1});
    expect(all[0], all[1], {199, 1, -2});
    detail::files::setPieceBytes(7000);
    expect(all[0], all[1], {3, 180, 1});
    detail::files::setPieceBytes(8 << 20);
    const auto table = section(a, 5, Triplet(), Triplet(40, 199, 1));  // formats of text
    Adlib::write(path("rows.csv"), table);
    const auto found = create<double>(p, BlockRange(10, p.dim(0)), 160);
    Adlib::read(found, path("rows.csv"));
    for (auto j : overall(found.rng(0)))
        for (Index k = 0; k < 160; ++k)
            ASSERT_EQ(found(j, k), static_cast<double>((50 + j.global) * 200 + k + 40));
}

}  // namespace
}  // namespace hpspmd::test
