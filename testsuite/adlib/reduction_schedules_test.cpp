// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every schedule of a reduction, made for some generated arrays and run for these and for others
/// with the same descriptors, at once or in two halves, against a loop over the global indices.

#include <gtest/gtest.h>

#include <functional>
#include <hpspmd>

#include "cases.hpp"
#include "errors.hpp"
#include "reduction_oracle.hpp"

namespace hpspmd::test {
namespace {

/// Arrays to reduce. The mask has memory of its own, and other values in each.
template <std::size_t R>
struct Reducible {
    Values values;
    Typed<std::int64_t, R> numbers;
    Typed<bool, R> truths, mask;

    Reducible(const Values& values, const TestArray& layout, const TestArray& maskLayout)
        : values(values),
          numbers(typed<std::int64_t, R>(layout)),
          truths(typed<bool, R>(maskLayout)),
          mask(typed<bool, R>(maskLayout)) {
        const Indices& shape = values.shape;
        forEachHeld(layout, shape, numbers.data(),
                    [&](const Indices& at, std::int64_t& each) { each = values.number(at); });
        forEachHeld(maskLayout, shape, truths.data(),
                    [&](const Indices& at, bool& each) { each = values.truth(at); });
        forEachHeld(maskLayout, shape, mask.data(),
                    [&](const Indices& at, bool& each) { each = values.masked(at); });
    }
};

/// Arrays for the results along a dimension.
template <std::size_t R>
struct Results {
    TestArray layout;
    Typed<std::int64_t, R> sums = typed<std::int64_t, R>(layout),
                           products = typed<std::int64_t, R>(layout),
                           largest = typed<std::int64_t, R>(layout),
                           smallest = typed<std::int64_t, R>(layout),
                           dots = typed<std::int64_t, R>(layout),
                           bits = typed<std::int64_t, R>(layout),
                           first = typed<std::int64_t, R>(layout),
                           last = typed<std::int64_t, R>(layout),
                           counts = typed<std::int64_t, R>(layout);
    Typed<bool, R> anys = typed<bool, R>(layout), alls = typed<bool, R>(layout);
    Typed<int, R> firstAt = typed<int, R>(layout);
    Typed<short, R> lastAt = typed<short, R>(layout);
};

std::int64_t exclusiveOr(std::int64_t a, std::int64_t b) { return a ^ b; }

/// How the schedules run: each at once, or all in two halves with one another.
class Runs {
public:
    explicit Runs(bool isSplit) : isSplit_(isSplit) {}

    template <class Schedule, class Check, class... Arrays>
    void value(Schedule& schedule, const Check& check, const Arrays&... arrays) {
        if (!isSplit_) return check(schedule.execute(arrays...));
        schedule.start(arrays...);
        ends_.push_back([&schedule, check] { check(schedule.finish()); });
    }
    template <class Schedule, class... Arrays>
    void along(Schedule& schedule, const Arrays&... arrays) {
        if (!isSplit_) return schedule.execute(arrays...);
        schedule.start(arrays...);
        ends_.push_back([&schedule] { schedule.finish(); });
    }
    void finish() {
        for (const auto& end : ends_) end();
    }

private:
    bool isSplit_;
    std::vector<std::function<void()>> ends_;
};

template <std::size_t R>
class ScheduleCase {
public:
    ScheduleCase(Random& random, const Group& grid)
        : shape_(randomShape(random, R)),
          array_(randomArray(random, grid, shape_, false)),
          maskArray_(alignedArray(array_)),
          sets_{Reducible<R>({random.seed(), shape_}, array_, maskArray_),
                Reducible<R>({random.seed(), shape_}, array_, maskArray_)} {}

    void run() {
        SCOPED_TRACE(describe(array_));
        check([](const Values&, const Indices&) { return true; });
        check([](const Values& values, const Indices& at) { return values.masked(at); },
              &Reducible<R>::mask);
        if constexpr (R > 0)
            for (int d = 0; d < static_cast<int>(R); ++d) {
                checkAlong(d, false);
                checkAlong(d, true, &Reducible<R>::mask);
            }
    }

private:
    template <class Takes, class... Mask>
    void check(const Takes& takes, const Mask&... mask) {
        const Reducible<R>& made = sets_[0];
        Adlib::Sum sum(made.numbers, made.*mask...);
        Adlib::Product product(made.numbers, made.*mask...);
        Adlib::Maxval maxval(made.numbers, made.*mask...);
        Adlib::Minval minval(made.numbers, made.*mask...);
        Adlib::Any any(made.truths, made.*mask...);
        Adlib::All all(made.truths, made.*mask...);
        Adlib::Count count(made.truths, made.*mask...);
        Adlib::DotProduct dot(made.numbers, made.numbers, made.*mask...);
        Adlib::Maxloc maxloc(made.numbers, made.*mask...);
        Adlib::Minloc minloc(made.numbers, made.*mask...);
        Adlib::Reduce bits(made.numbers, exclusiveOr, 0, made.*mask...);
        for (const Reducible<R>& set : sets_)
            for (const bool isSplit : {false, true}) {
                const Oracle oracle(set.values,
                                    [&](const Indices& at) { return takes(set.values, at); });
                const auto is = [](auto expected) {
                    return [=](auto value) {
                        EXPECT_EQ(value, static_cast<decltype(value)>(expected));
                    };
                };
                const auto isAt = [](std::int64_t expected, const Indices& at) {
                    return [=](const auto& extreme) {
                        EXPECT_EQ(extreme.value, expected);
                        EXPECT_EQ(Indices(extreme.location.begin(), extreme.location.end()), at);
                    };
                };
                Runs runs(isSplit);
                runs.value(sum, is(oracle.sum), set.numbers, set.*mask...);
                runs.value(product, is(oracle.product), set.numbers, set.*mask...);
                runs.value(maxval, is(oracle.max), set.numbers, set.*mask...);
                runs.value(minval, is(oracle.min), set.numbers, set.*mask...);
                runs.value(any, is(oracle.any), set.truths, set.*mask...);
                runs.value(all, is(oracle.all), set.truths, set.*mask...);
                runs.value(count, is(oracle.count), set.truths, set.*mask...);
                runs.value(dot, is(oracle.dot), set.numbers, set.numbers, set.*mask...);
                runs.value(maxloc, isAt(oracle.max, oracle.maxAt), set.numbers, set.*mask...);
                runs.value(minloc, isAt(oracle.min, oracle.minAt), set.numbers, set.*mask...);
                runs.value(bits, is(oracle.bits), set.numbers, set.*mask...);
                runs.finish();
            }
    }

    template <class... Mask>
    void checkAlong(int d, bool isMasked, const Mask&... mask) {
        const TestArray layout = alignedWithout(array_, d);
        const Reducible<R>& made = sets_[0];
        const Results<R - 1> to{layout}, other{layout};
        Adlib::SumDim sum(to.sums, made.numbers, d, made.*mask...);
        Adlib::ProductDim product(to.products, made.numbers, d, made.*mask...);
        Adlib::MaxvalDim maxval(to.largest, made.numbers, d, made.*mask...);
        Adlib::MinvalDim minval(to.smallest, made.numbers, d, made.*mask...);
        Adlib::AnyDim any(to.anys, made.truths, d, made.*mask...);
        Adlib::AllDim all(to.alls, made.truths, d, made.*mask...);
        Adlib::CountDim count(to.counts, made.truths, d, made.*mask...);
        Adlib::DotProductDim dot(to.dots, made.numbers, made.numbers, d, made.*mask...);
        Adlib::MaxlocDim maxloc(to.first, to.firstAt, made.numbers, d, made.*mask...);
        Adlib::MinlocDim minloc(to.last, to.lastAt, made.numbers, d, made.*mask...);
        Adlib::ReduceDim bits(to.bits, made.numbers, d, exclusiveOr, 0, made.*mask...);
        for (const bool isSplit : {false, true})
            for (const bool isOther : {false, true}) {
                const Results<R - 1>& into = isOther ? other : to;
                const Reducible<R>& set = sets_[isOther != isSplit];
                Runs runs(isSplit);
                runs.along(sum, into.sums, set.numbers, set.*mask...);
                runs.along(product, into.products, set.numbers, set.*mask...);
                runs.along(maxval, into.largest, set.numbers, set.*mask...);
                runs.along(minval, into.smallest, set.numbers, set.*mask...);
                runs.along(any, into.anys, set.truths, set.*mask...);
                runs.along(all, into.alls, set.truths, set.*mask...);
                runs.along(count, into.counts, set.truths, set.*mask...);
                runs.along(dot, into.dots, set.numbers, set.numbers, set.*mask...);
                runs.along(maxloc, into.first, into.firstAt, set.numbers, set.*mask...);
                runs.along(minloc, into.last, into.lastAt, set.numbers, set.*mask...);
                runs.along(bits, into.bits, set.numbers, set.*mask...);
                runs.finish();
                compare(into, set.values, d, isMasked);
            }
    }

    void compare(const Results<R - 1>& results, const Values& values, int d, bool isMasked) {
        Indices shape = shape_;
        shape.erase(shape.begin() + d);
        forEachHeld(results.layout, shape, results.sums.data(),
                    [&](const Indices& index, std::int64_t& sum) {
                        const Oracle oracle(values, [&](Indices full) {
                            const bool taken = !isMasked || values.masked(full);
                            full.erase(full.begin() + d);
                            return taken && full == index;
                        });
                        const Index at = &sum - results.sums.data();
                        EXPECT_EQ(static_cast<std::uint64_t>(sum), oracle.sum);
                        EXPECT_EQ(static_cast<std::uint64_t>(results.products.data()[at]),
                                  oracle.product);
                        EXPECT_EQ(results.largest.data()[at], oracle.max);
                        EXPECT_EQ(results.smallest.data()[at], oracle.min);
                        EXPECT_EQ(results.anys.data()[at], oracle.any);
                        EXPECT_EQ(results.alls.data()[at], oracle.all);
                        EXPECT_EQ(results.counts.data()[at], oracle.count);
                        EXPECT_EQ(static_cast<std::uint64_t>(results.dots.data()[at]), oracle.dot);
                        EXPECT_EQ(results.first.data()[at], oracle.max);
                        EXPECT_EQ(results.firstAt.data()[at], placeAlong<int>(oracle.maxAt, d));
                        EXPECT_EQ(results.last.data()[at], oracle.min);
                        EXPECT_EQ(results.lastAt.data()[at], placeAlong<short>(oracle.minAt, d));
                        EXPECT_EQ(results.bits.data()[at], oracle.bits);
                    });
    }

    Indices shape_;
    TestArray array_, maskArray_;
    Reducible<R> sets_[2];
};

TEST(ReductionSchedules, GeneratedArrays) { forLiveCases(30, runOfAnyRank<ScheduleCase>); }

TEST(ReductionSchedules, InTwoHalves) {
    const Procs1 p;
    const BlockRange x(7 * p.size(), p.dim(0));
    const auto a = create<double>(p, x), other = create<double>(p, x);
    const auto set = [&](const Array<double, Dist>& array, double factor) {
        for (Index k = 0; k < 7; ++k)
            array.data()[k] = factor * static_cast<double>(7 * detail::ownRank() + k);
    };
    const double n = static_cast<double>(x.size()), all = n * (n - 1) / 2;
    Adlib::Sum sum(a);
    Adlib::Maxloc largest(a);
    Adlib::DotProduct square(a, a);
    Adlib::Reduce total(a, std::plus<>(), 0);
    for (const bool reproducible : {false, true}) {
        Adlib::setReproducible(reproducible);
        set(a, 1);
        set(other, 10);
        sum.start();
        largest.start();
        square.start();
        total.start();
        set(a, 3);
        sum.start();
        sum.start(other);
        total.start(other);
        EXPECT_EQ(sum.finish(), all);
        set(a, 5);
        EXPECT_EQ(sum.execute(), 5 * all);
        EXPECT_EQ(largest.finish().value, n - 1);
        EXPECT_EQ(square.finish(), all * (2 * n - 1) / 3);
        EXPECT_EQ(total.finish(), all);
        EXPECT_EQ(sum.finish(), 3 * all);
        EXPECT_EQ(sum.finish(), 10 * all);
        EXPECT_EQ(total.finish(), 10 * all);
        EXPECT_MESSAGE(sum.finish(), "sum: finish() without start()");
        EXPECT_MESSAGE(largest.finish(), "maxloc: finish() without start()");
        EXPECT_MESSAGE(total.finish(), "reduce: finish() without start()");
    }
    Adlib::setReproducible(false);
}

/// Results of few and of many elements, side by side and not, of which one process after the other
/// holds a row.
TEST(ReductionSchedules, AlongADimensionInTwoHalves) {
    const Procs1 p;
    for (const Index n : {5, 20001}) {
        const auto a = create<double>(p, BlockRange(p.size(), p.dim(0)), n);
        const auto sums = create<double>(p, n), other = create<double>(p, 2 * n);
        const auto squares = create<double>(p, n), largest = create<double>(p, n);
        const auto places = create<int>(p, n);
        const auto spread = section(other, Triplet(0, 2 * n - 1, 2));
        for (Index k = 0; k < n; ++k) a.data()[k] = static_cast<double>(k + detail::ownRank());
        Adlib::SumDim first(sums, a, 0);
        Adlib::SumDim second(spread, a, 0);
        Adlib::DotProductDim square(squares, a, a, 0);
        Adlib::MaxlocDim maxloc(largest, places, a, 0);
        for (const bool reproducible : {false, true}) {
            Adlib::setReproducible(reproducible);
            first.start();
            second.start();
            square.start();
            maxloc.start();
            EXPECT_EQ(Adlib::maxval(detail::ownRank()), p.size() - 1);
            maxloc.finish();
            square.finish();
            second.finish();
            first.finish();
            const Index size = p.size(), ranks = size * (size - 1) / 2;
            Index wrong = 0;
            for (Index k = 0; k < n; ++k) {
                const auto sum = static_cast<double>(size * k + ranks);
                wrong += sums.data()[k] != sum || other.data()[2 * k] != sum;
                wrong += squares.data()[k] != static_cast<double>(size * k * k + 2 * k * ranks +
                                                                  ranks * (2 * size - 1) / 3);
                wrong += largest.data()[k] != static_cast<double>(k + size - 1);
                wrong += places.data()[k] != size - 1;
            }
            EXPECT_EQ(wrong, 0);
            EXPECT_MESSAGE(first.finish(), "sumDim: finish() without start()");
            first.start();
            EXPECT_MESSAGE(first.start(), "sumDim: the schedule is already under way");
            first.finish();
        }
        Adlib::setReproducible(false);
    }
}

TEST(ReductionSchedules, AreForArraysWithTheirDescriptors) {
    const Procs1 p;
    const BlockRange x(12, p.dim(0));
    const auto a = create<double>(p, x, 3), b = create<double>(p, CyclicRange(12, p.dim(0)), 3);
    const auto sums = create<double>(p, 3);
    Adlib::Sum sum(a);
    EXPECT_MESSAGE(sum.execute(b), "sum: the schedule was made for arrays with other ranges");
    EXPECT_MESSAGE(sum.start(b), "sum: the schedule was made for arrays with other ranges");
    Adlib::SumDim columns(sums, a, 0);
    EXPECT_MESSAGE(columns.execute(sums, b), "sumDim: the schedule was made for arrays with other");
    EXPECT_MESSAGE(columns.start(sums, b), "sumDim: the schedule was made for arrays with other");
    // Two columns of one array: the first is the result, the second is reduced.
    const auto both = create<double>(p, x, 2);
    const auto one = section(both, Triplet(), Triplet(0, 0));
    const auto line = section(both, Triplet(), 0);
    EXPECT_MESSAGE(Adlib::SumDim(line, one, 1), "sumDim: the result and the array overlap");
    Adlib::SumDim rows(section(both, Triplet(), 1), one, 1);
    EXPECT_NO_THROW(rows.execute());
    EXPECT_MESSAGE(rows.execute(line, one), "sumDim: the result and the array overlap");
    EXPECT_MESSAGE(Adlib::sumDim(Adlib::reproducible, line, one, 1),
                   "sumDim: the result and the array overlap");
}

}  // namespace
}  // namespace hpspmd::test
