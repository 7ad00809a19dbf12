// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Everything that a program can make, made and dropped: grids, restricted groups, ranges of all
/// formats, sections, splits, arrays of all kinds, schedules of each class, one-sided operations.

#include <functional>
#include <hpspmd/mpi.hpp>
#include <hpspmd>

namespace hpspmd::test {

/// What a program makes round after round. `number` lets extents and sections change: after
/// `kinds` numbers they come again, but for those of makeDifferent().
class Everything {
public:
    static constexpr Index kinds = 6;

    explicit Everything(Index number) : n_(24 + number % 3), k_(number % 2), number_(number) {}

    void makeGrids() const {
        const Procs0 one;
        const Procs1 line;
        const Procs2 square;
        const Procs3 cube;
        const Procs1 some((apg().size() + 1) / 2);
        const Group row = square / square.dim(0)[0];
        if (const detail::On on{row}) {
            const Procs1 inner;
            const auto a = create<int>(inner, BlockRange(n_, inner.dim(0)));
            Adlib::sum(a);
        }
        if (const detail::On on{some}) Adlib::sum(create<int>(some, n_));
        comm(square);
        comm(row);
    }

    void makeRanges() const {
        const Procs1 p;
        const detail::On on(p);
        const Dimension d = p.dim(0);
        const std::vector<Index> sizes(static_cast<std::size_t>(p.size()), 5 + k_);
        for (const Range& x :
             {Range(BlockRange(n_, d)), Range(CyclicRange(n_, d)), Range(IrregRange(sizes, d)),
              Range(BlockCyclicRange(n_, d, 2 + k_)), Range(CollapsedRange(n_)),
              Range(ExtBlockRange(n_, d, 1, 2)), Range(d)}) {
            const auto a = create<double>(p, x), b = like(a), c = clone(a);
            const auto part = section(a, Triplet(k_ % x.size(), x.size() - 1));
            Adlib::remap(section(b, Triplet(k_ % x.size(), x.size() - 1)), part);
            Adlib::sum(part);
        }
    }

    void makeSections() const {
        const Procs2 p;
        const detail::On on(p);
        const BlockRange x(n_, p.dim(0)), y(n_, p.dim(1));
        const auto a = create<float>(p, x, y, 3);
        const auto plane = section(a, Triplet(k_, n_ - 2), k_, Triplet(0, 2, 2));
        const auto blocks = section(a, split, Triplet(), k_ % 3);
        Adlib::sum(plane);
        Adlib::maxval(blocks);
        Adlib::maxval(section(a, Triplet(n_ - 1, k_, -2), Triplet(), 1));
    }

    void makeSchedules() const {
        const Procs1 p;
        const detail::On on(p);
        const ExtBlockRange x(n_, p.dim(0), 1, 1);
        const auto a = create<double>(p, x), b = create<double>(p, CyclicRange(n_, p.dim(0)));
        const auto c = like(a);
        const auto places = create<int>(p, x);
        const auto amount = create<int>(p);
        const auto total = create<double>(p);
        const auto location = create<int>(p);
        both(Adlib::Remap(c, b));
        both(Adlib::Copy(c, a));
        both(Adlib::Shift(c, a, 1));
        both(Adlib::Cshift(c, a, 1));
        both(Adlib::Skew(c, a, amount, 0));
        both(Adlib::Transpose(c, b, {0}));
        both(Adlib::Gather(c, a, places));
        both(Adlib::Scatter(c, a, places));
        both(Adlib::Scan(c, a, std::plus<>()));
        both(Adlib::WriteHalo(a));
        both(Adlib::WriteHalos(a, c));
        both(Adlib::Sum(a));
        both(Adlib::Maxloc(a));
        both(Adlib::DotProduct(a, c));
        both(Adlib::SumDim(total, a, 0));
        both(Adlib::MinlocDim(total, location, a, 0));
        both(Adlib::Reduce(a, std::plus<>(), 0));
    }

    void communicate() const {
        const Procs1 p;
        const detail::On on(p);
        const ExtBlockRange x(n_, p.dim(0), 1, 1);
        const auto a = create<double>(p, x), b = create<double>(p, CyclicRange(n_, p.dim(0)));
        const auto c = like(a);
        const auto many = create<double>(p, 60000 + 1000 * k_);
        const auto places = create<int>(p, x);
        const auto total = create<double>(p);
        for (const bool reproducible : {false, true}) {
            Adlib::setReproducible(reproducible);
            Adlib::sum(a);
            Adlib::sumDim(total, a, 0);
            Adlib::scan(c, a, std::plus<>());
        }
        Adlib::setReproducible(false);
        Adlib::writeHalo(a);
        Adlib::writeHalo(a, c);
        Adlib::gather(c, a, places);
        Adlib::scatter(std::plus<>(), c, a, places);
        Adlib::fence(a);
        Adlib::get(create<double>(p, n_), a);
        Adlib::put(section(a, Triplet(0, 1)), create<double>(p, 2));
        Adlib::accumulate(section(a, Triplet(1, 1)), create<double>(p, 1));
        Adlib::fence(a);
        Adlib::remap(many, like(many));
        try {
            Adlib::remap(a, create<double>(p, n_ + 1));
        } catch (const AdlibError&) {  // before anything is sent
        }
    }

    /// With each number ranges, sections and groups that no other one has.
    void makeDifferent() const {
        const Procs1 p;
        const detail::On on(p);
        const Dimension d = p.dim(0);
        const Index n = 20 + number_ % 1000;
        std::vector<Index> sizes(static_cast<std::size_t>(p.size()), 1 + number_ / 1000);
        sizes.back() += n;
        for (const Range& x :
             {Range(BlockRange(number_, d)), Range(ExtBlockRange(n, d, number_, 1)),
              Range(CyclicRange(number_, d)), Range(BlockCyclicRange(n, d, number_ + 1)),
              Range(CollapsedRange(number_)), whole(BlockRange(number_, d))})
            if (x.size() > 10) x.subrange(number_ % 10, x.size() - 2);
        const auto a = create<int>(p, IrregRange(sizes, d)), b = like(a);
        const auto part = section(a, Triplet(number_ % 7, n));
        Adlib::remap(section(b, Triplet(number_ % 7, n)), part);
        Adlib::sum(part);
        comm(p / d[number_ % p.size()]);
    }

    void make() const {
        makeDifferent();
        makeGrids();
        makeRanges();
        makeSections();
        makeSchedules();
        communicate();
    }

private:
    /// Executed, in halves, and dropped under way.
    template <class Schedule>
    static void both(Schedule&& schedule) {
        schedule.execute();
        schedule.start();
        schedule.finish();
        schedule.start();
    }

    Index n_, k_;
    Index number_;
};

}  // namespace hpspmd::test
