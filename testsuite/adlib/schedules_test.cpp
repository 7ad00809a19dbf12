// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What all schedule classes demand when they are given arrays: the descriptors that they were made
/// for, no common elements, and halves in order.

#include <gtest/gtest.h>

#include <hpspmd>

#include "errors.hpp"

namespace hpspmd::test {
namespace {

double larger(double u, double v) { return u < v ? v : u; }

class Calls : public detail::Observer {
public:
    Calls() { detail::observer = this; }
    ~Calls() override { detail::observer = before_; }
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    void collectiveBegins(const char*, detail::Where) override { ++count; }

    int count = 0;

private:
    detail::Observer* const before_ = detail::observer;
};

class Schedules : public testing::Test {
protected:
    /// Observers are told of one call, not of its halves.
    template <class Schedule>
    void expectOneCall(Schedule& schedule, const std::string& name) {
        const Calls calls;
        schedule.execute();
        EXPECT_EQ(calls.count, 1) << name;
    }

    /// The halves of a schedule that works on one set of arrays at a time.
    template <class Schedule>
    void expectOneAtATime(Schedule&& schedule, const std::string& name) {
        EXPECT_MESSAGE(schedule.finish(), name + ": finish() without start()");
        schedule.start();
        EXPECT_MESSAGE(schedule.start(), name + ": the schedule is already under way");
        schedule.finish();
        EXPECT_MESSAGE(schedule.finish(), name + ": finish() without start()");
        expectOneCall(schedule, name);
    }

    /// The halves of a schedule that may be under way several times.
    template <class Schedule>
    void expectSeveral(Schedule&& schedule, const std::string& name) {
        EXPECT_MESSAGE(schedule.finish(), name + ": finish() without start()");
        for (int k = 0; k < 3; ++k) schedule.start();
        for (int k = 0; k < 3; ++k) schedule.finish();
        EXPECT_MESSAGE(schedule.finish(), name + ": finish() without start()");
        expectOneCall(schedule, name);
    }

    /// A schedule made for apart[0] and apart[1], columns 0 and 1 of a matrix, and called for
    /// others.
    template <class Schedule>
    void expectDemands(Schedule&& schedule, const std::string& name) {
        const std::string overlap = name + ": the destination and the source overlap";
        const std::string layout = name + ": the schedule was made for arrays with other ranges";
        const auto odd = section(create<double>(p, x, 3), Triplet(), 0);  // with another stride
        for (int round = 0; round < 2; ++round) {
            EXPECT_NO_THROW(schedule.execute());
            EXPECT_NO_THROW(schedule.execute(column(2), column(3)));
            EXPECT_NO_THROW(schedule.execute(column(3), column(0)));
            EXPECT_NO_THROW(schedule.execute(column(2), otherColumn));
            EXPECT_MESSAGE(schedule.execute(column(2), column(2)), overlap);
            EXPECT_MESSAGE(schedule.start(column(0), column(0)), overlap);
            EXPECT_MESSAGE(schedule.execute(odd, column(0)), layout);
            EXPECT_MESSAGE(schedule.start(column(0), odd), layout);
            EXPECT_MESSAGE(schedule.finish(), name + ": finish() without start()");
        }
    }

    Array<double, Dist> column(Index j) const { return section(matrix, Triplet(), j); }

    Procs1 p;
    ExtBlockRange x{12, p.dim(0), 1, 1};
    Array<double, Dist, Seq> matrix = create<double>(p, x, 4), others = like(matrix);
    Array<double, Dist> otherColumn = section(others, Triplet(), 0);
    Array<double, Dist> to = column(0), from = column(1);
    Array<int, Dist> places = create<int>(p, x);  // all 0
    Array<int> amount = create<int>(p);
    Array<double> total = create<double>(p);
};

TEST_F(Schedules, DemandTheirDescriptorsAndNoOverlap) {
    expectDemands(Adlib::Remap(to, from), "Remap");
    expectDemands(Adlib::Copy(to, from), "Copy");
    expectDemands(Adlib::Shift(to, from, 1), "Shift");
    expectDemands(Adlib::Cshift(to, from, 1), "Cshift");
    expectDemands(Adlib::Skew(to, from, amount, 0), "Skew");
    expectDemands(Adlib::Cskew(to, from, amount, 0), "Cskew");
    expectDemands(Adlib::Transpose(to, from, {0}), "Transpose");
    expectDemands(Adlib::Gather(to, from, places), "Gather");
    expectDemands(Adlib::Scatter(to, from, places), "Scatter");
    expectDemands(Adlib::Scan(to, from, std::plus<>()), "Scan");
}

/// Not the very same elements but some of them, and only on one process.
TEST_F(Schedules, FindOverlapsOfSections) {
    const auto row = create<double>(p, 9, x);
    const auto rows = [&](Index first) {
        return section(row, Triplet(first, first + 3), Triplet());
    };
    Adlib::Shift shift(rows(0), rows(4), 1, 1);
    EXPECT_NO_THROW(shift.execute(rows(5), rows(1)));
    EXPECT_MESSAGE(shift.execute(rows(5), rows(2)),
                   "Shift: the destination and the source overlap");
    const auto element = [&](Index j, Index i) { return section(row, j, i); };
    Adlib::Remap remap(element(0, 3), element(1, 3));
    EXPECT_NO_THROW(remap.execute(element(2, 3), element(3, 3)));
    EXPECT_MESSAGE(remap.execute(element(2, 3), element(2, 3)),
                   "Remap: the destination and the source overlap");
}

TEST_F(Schedules, InTwoHalves) {
    expectSeveral(Adlib::Remap(to, from), "Remap");
    expectSeveral(Adlib::Copy(to, from), "Copy");
    expectSeveral(Adlib::Shift(to, from, 1), "Shift");
    expectSeveral(Adlib::Cshift(to, from, 1), "Cshift");
    expectSeveral(Adlib::Skew(to, from, amount, 0), "Skew");
    expectSeveral(Adlib::Cskew(to, from, amount, 0), "Cskew");
    expectSeveral(Adlib::Transpose(to, from, {0}), "Transpose");
    expectSeveral(Adlib::Gather(to, from, places), "Gather");
    expectSeveral(Adlib::WriteHalo(matrix), "WriteHalo");
    expectOneAtATime(Adlib::Scatter(to, from, places), "Scatter");
    expectOneAtATime(Adlib::Scan(to, from, larger), "Scan");
    expectOneAtATime(Adlib::WriteHalos(matrix, others), "WriteHalos");
}

TEST_F(Schedules, OfReductionsInTwoHalves) {
    const auto truth = create<bool>(p, x);
    const auto is = create<bool>(p);
    const auto count = create<Index>(p);
    for (const bool reproducible : {false, true}) {
        Adlib::setReproducible(reproducible);
        expectSeveral(Adlib::Sum(to), "sum");
        expectSeveral(Adlib::Product(to), "product");
        expectSeveral(Adlib::Maxval(to), "maxval");
        expectSeveral(Adlib::Minval(to), "minval");
        expectSeveral(Adlib::Any(truth), "any");
        expectSeveral(Adlib::All(truth), "all");
        expectSeveral(Adlib::Count(truth), "count");
        expectSeveral(Adlib::DotProduct(to, from), "dotProduct");
        expectSeveral(Adlib::Maxloc(to), "maxloc");
        expectSeveral(Adlib::Minloc(to), "minloc");
        expectSeveral(Adlib::Reduce(to, larger, 0), "reduce");
        expectOneAtATime(Adlib::SumDim(total, to, 0), "sumDim");
        expectOneAtATime(Adlib::ProductDim(total, to, 0), "productDim");
        expectOneAtATime(Adlib::MaxvalDim(total, to, 0), "maxvalDim");
        expectOneAtATime(Adlib::MinvalDim(total, to, 0), "minvalDim");
        expectOneAtATime(Adlib::AnyDim(is, truth, 0), "anyDim");
        expectOneAtATime(Adlib::AllDim(is, truth, 0), "allDim");
        expectOneAtATime(Adlib::CountDim(count, truth, 0), "countDim");
        expectOneAtATime(Adlib::DotProductDim(total, to, from, 0), "dotProductDim");
        expectOneAtATime(Adlib::MaxlocDim(total, amount, to, 0), "maxlocDim");
        expectOneAtATime(Adlib::MinlocDim(total, amount, to, 0), "minlocDim");
        expectOneAtATime(Adlib::ReduceDim(total, to, 0, larger, 0), "reduceDim");
    }
    Adlib::setReproducible(false);
}

/// Of a schedule between two arrays, execute(to, from, op) combines.
TEST_F(Schedules, CombineInOtherArrays) {
    const auto set = [&](const Array<double, Dist>& array, double first) {
        const Block held = x.localBlock();
        for (Index k = 0; k < held.count; ++k)
            array.data()[k * array.stride(0)] = first + static_cast<double>(held.globalBase + k);
    };
    const auto expect = [&](const Array<double, Dist>& array, double constant, double factor) {
        const Block held = x.localBlock();
        for (Index k = 0; k < held.count; ++k)
            EXPECT_EQ(array.data()[k * array.stride(0)],
                      constant + factor * static_cast<double>(held.globalBase + k));
    };
    Adlib::Remap remap(to, from);
    set(column(2), 100);
    set(column(3), 7);
    remap.execute(column(2), column(3), std::plus<>());
    expect(column(2), 107, 2);

    const Block held = x.localBlock();
    for (Index k = 0; k < held.count; ++k) places.data()[k] = static_cast<int>(held.globalBase + k);
    Adlib::Scatter scatter(to, from, places);
    set(column(2), 50);
    scatter.execute(column(2), otherColumn);  // 0 everywhere
    expect(column(2), 0, 0);
    set(column(2), 50);
    scatter.execute(column(2), column(3), std::plus<>());
    expect(column(2), 57, 2);
    scatter.start(column(2), column(3));
    scatter.finish(std::minus<>());
    expect(column(2), 50, 1);
}

}  // namespace
}  // namespace hpspmd::test
