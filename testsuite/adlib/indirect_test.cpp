// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// gather and scatter under MPI: generated cases against a sequential loop, and the public calls.

#include <gtest/gtest.h>

#include <algorithm>
#include <hpspmd>

#include "cases.hpp"
#include "errors.hpp"
#include "indirect_case.hpp"

namespace hpspmd::test {
namespace {

template <class T>
detail::Operand operandOf(const char* role, const TestArray& array, std::vector<T>& memory,
                          const detail::Storage& storage) {
    const bool holds = array.group.amMember();
    return {role, array.layout(), holds ? memory.data() + array.offset : nullptr, sizeof(T),
            &storage};
}

Index readInteger(const detail::Integers& integers, Index offset) {
    return static_cast<const std::int64_t*>(integers.array.data)[offset];
}

using Combine = std::int64_t (*)(std::int64_t, std::int64_t);
constexpr Combine combine = IndirectCase::combine;

detail::Combining storeOf(const IndirectCase& c) {
    if (c.kind != IndirectCase::Combine) return {};
    return detail::combiningBy<std::int64_t>(combine);
}

/// This process's subscripts and mask of a case.
class Subscripts {
public:
    explicit Subscripts(const IndirectCase& c) : mask_(c.maskOn(detail::ownRank())) {
        for (int r = 0; r < c.indexed.rank(); ++r)
            memory_.push_back(c.subscriptsOn(detail::ownRank(), r));
        for (Memory& each : memory_)
            arrays.list.push_back(
                {operandOf("array of subscripts", c.subscripts, each, storage_), readInteger, {}});
        if (c.isMasked) arrays.mask = operandOf("mask", c.subscripts, mask_, storage_);
    }

    detail::SubscriptArrays arrays;

private:
    std::vector<Memory> memory_;
    std::vector<char> mask_;
    detail::Storage storage_;
};

/// This process's part of destination and source, all elements times `factor`.
class Arrays {
public:
    explicit Arrays(const IndirectCase& c, std::int64_t factor = 1)
        : case_(c), factor_(factor), from_(times(factor, c.source(detail::ownRank()))) {
        reset();
    }

    void reset() { to_ = times(factor_, case_.destination(detail::ownRank())); }
    detail::Operand to() { return operandOf("destination", case_.to(), to_, toStorage_); }
    detail::Operand from() { return operandOf("source", case_.from(), from_, fromStorage_); }
    void check(const char* call) const {
        EXPECT_EQ(to_, times(factor_, case_.expected(detail::ownRank())))
            << case_.text << ", " << call;
    }

private:
    const IndirectCase& case_;
    std::int64_t factor_;
    Memory to_, from_;
    detail::Storage toStorage_, fromStorage_;
};

void runCase(const IndirectCase& c) {
    const detail::Where where = detail::Where::here();
    const Subscripts subscripts(c);
    Arrays own(c);
    for (const char* call : {"first", "by the schedule of the first"}) {
        own.reset();
        if (c.isGather())
            detail::gather(own.to(), own.from(), subscripts.arrays, where);
        else
            detail::scatter(own.to(), own.from(), subscripts.arrays, storeOf(c), where);
        own.check(call);
    }
}

/// One schedule for two sets of arrays.
void runBySchedule(const IndirectCase& c) {
    const detail::Where where = detail::Where::here();
    const Subscripts subscripts(c);
    Arrays made(c), other(c, 7);
    const auto runAll = [&](const auto& run) {
        for (Arrays* each : {&other, &made, &other}) {
            each->reset();
            run(*each);
            each->check("by a schedule");
        }
    };
    if (c.isGather()) {
        auto schedule = detail::makeGather(made.to(), made.from(), subscripts.arrays, where);
        return runAll([&](Arrays& each) {
            schedule.start(each.to(), each.from(), where);
            schedule.finish(where);
        });
    }
    const auto schedule =
        detail::makeScatter(made.to(), made.from(), subscripts.arrays, {"Scatter", where});
    runAll([&](Arrays& each) {
        detail::startScatter(*schedule, each.to(), each.from(), where);
        detail::finishScatter(*schedule, storeOf(c), where);
    });
}

TEST(Indirect, GeneratedCases) {
    forLiveCases(200, [](Random& random) { runCase(makeIndirectCase(random, apg().size())); });
}

TEST(Indirect, SchedulesServeOtherArrays) {
    forLiveCases(150,
                 [](Random& random) { runBySchedule(makeIndirectCase(random, apg().size())); });
}

/// Calls f(i, element) for the elements that this process holds.
template <class A, class F>
void forEachElement(const A& a, const F& f) {
    for (const Block b : a.rng(0).localBlocks())
        for (Index k = 0; k < b.count; ++k)
            f(b.globalBase + k * b.globalStep,
              a.data()[a.stride(0) * (b.localBase + k * b.localStep)]);
}

class IndirectCalls : public testing::Test {
protected:
    IndirectCalls() {
        forEachElement(source, [](Index i, double& e) { e = 10.0 * static_cast<double>(i); });
        forEachElement(odd, [](Index i, bool& e) { e = i % 2 == 1; });
        forEachElement(reversed, [](Index i, int& e) { e = static_cast<int>(8 - i); });
        forEachElement(bins, [](Index i, unsigned char& e) { e = i < 6 ? 2 : 0; });
    }

    Procs1 p;
    BlockRange x{9, p.dim(0)};
    CyclicRange y{9, p.dim(0)};
    Array<double, Dist> source = create<double>(p, y), result = create<double>(p, x);
    Array<bool, Dist> odd = create<bool>(p, x);
    Array<int, Dist> reversed = create<int>(p, x);
    Array<unsigned char, Dist> bins = create<unsigned char>(p, x);
};

TEST_F(IndirectCalls, Gather) {
    Adlib::gather(result, source, reversed);
    forEachElement(result,
                   [](Index i, double e) { EXPECT_EQ(e, 10.0 * static_cast<double>(8 - i)); });
    Adlib::Gather schedule(result, source, bins, odd);
    schedule.execute();
    forEachElement(result, [](Index i, double e) {
        EXPECT_EQ(e, i % 2 == 0 ? 10.0 * static_cast<double>(8 - i) : i < 6 ? 20 : 0);
    });
}

TEST_F(IndirectCalls, RepeatedCallsFollowTheirSubscripts) {
    for (int round = 0; round < 6; ++round) {
        // Rounds 0 and 1 are alike; then one process changes one subscript, or the source changes.
        const int changed = round < 2 ? -1 : round / 2;
        forEachElement(reversed,
                       [&](Index i, int& e) { e = static_cast<int>(i == changed ? 4 : 8 - i); });
        forEachElement(source,
                       [&](Index i, double& e) { e = 10.0 * static_cast<double>(i) + round; });
        Adlib::gather(result, source, reversed);
        forEachElement(result, [&](Index i, double e) {
            EXPECT_EQ(e, 10.0 * static_cast<double>(i == changed ? 4 : 8 - i) + round);
        });
        Adlib::gather(result, source, bins, odd);
        const auto counts = create<int>(p, x), ones = create<int>(p, x);
        forEachElement(counts, [](Index, int& e) { e = 0; });
        forEachElement(ones, [&](Index, int& e) { e = round; });
        Adlib::scatter(std::plus<>(), counts, ones, reversed);
        Adlib::scatter(std::plus<>(), counts, ones, reversed, odd);
        const auto times = [&](Index target) {
            int sum = 0;
            for (Index i = 0; i < 9; ++i)
                if ((i == changed ? 4 : 8 - i) == target) sum += 1 + i % 2;
            return sum;
        };
        forEachElement(counts, [&](Index i, int e) { EXPECT_EQ(e, round * times(i)); });
    }
}

// Which earlier schedule a call is like, the processes may see differently: what only one of them
// changes is the same to the others.
TEST_F(IndirectCalls, SubscriptsThatOneProcessChangesBackAndForth) {
    for (int round = 0; round < 12; ++round) {
        const auto target = [&](Index i) { return i == 0 && round % 3 == 1 ? 7 : 8 - i; };
        forEachElement(reversed, [&](Index i, int& e) { e = static_cast<int>(target(i)); });
        Adlib::gather(result, source, reversed);
        forEachElement(result, [&](Index i, double e) {
            EXPECT_EQ(e, 10.0 * static_cast<double>(target(i))) << "round " << round;
        });
        const auto to = create<double>(p, y);
        Adlib::scatter(std::plus<>(), to, result, reversed);
        forEachElement(to, [&](Index i, double e) {
            const bool isTarget = i != 8 || round % 3 != 1;  // of the first x
            const int times = isTarget + (i == 7 && round % 3 == 1);
            EXPECT_EQ(e, times * 10.0 * static_cast<double>(i)) << "round " << round;
        });
    }
}

/// Few elements travel with the search for an earlier schedule, many by the schedule.
TEST_F(IndirectCalls, FewElementsAndMany) {
    for (const Index n : {1, 5, 13, 1000}) {
        const CyclicRange dealt(n, p.dim(0));
        const auto from = create<double>(p, dealt), to = create<double>(p, BlockRange(n, p.dim(0)));
        const auto places = like<short>(to);
        for (int round = 0; round < 6; ++round) {
            const auto place = [&](Index i) { return (i * 7 + round / 2) % n; };
            forEachElement(places, [&](Index i, short& e) { e = static_cast<short>(place(i)); });
            forEachElement(from, [&](Index i, double& e) { e = static_cast<double>(i + round); });
            Adlib::gather(to, from, places);
            forEachElement(to, [&](Index i, double e) {
                EXPECT_EQ(e, static_cast<double>(place(i) + round)) << n << ", " << round;
            });
        }
    }
}

TEST_F(IndirectCalls, ABadSubscriptBehindGoodOnesIsFound) {
    Adlib::gather(result, source, reversed);
    forEachElement(reversed, [](Index i, int& e) { e = i == 7 ? 9 : 0; });
    EXPECT_THROW(Adlib::gather(result, source, reversed), AdlibError);
    EXPECT_THROW(Adlib::scatter(source, result, reversed), AdlibError);
    forEachElement(reversed, [](Index, int& e) { e = 3; });
    Adlib::gather(result, source, reversed);
    forEachElement(result, [](Index, double e) { EXPECT_EQ(e, 30.0); });
}

TEST_F(IndirectCalls, GatherFromAMatrixByTwoSubscripts) {
    const auto matrix = create<double>(p, y, 9);
    for (const Block b : y.localBlocks())
        for (Index k = 0; k < b.count; ++k)
            for (Index j = 0; j < 9; ++j)
                matrix.data()[matrix.stride(0) * (b.localBase + k * b.localStep) + j] =
                    static_cast<double>(100 * (b.globalBase + k * b.globalStep) + j);
    Adlib::gather(result, matrix, reversed, bins);
    forEachElement(result, [](Index i, double e) {
        EXPECT_EQ(e, static_cast<double>(100 * (8 - i) + (i < 6 ? 2 : 0)));
    });
}

TEST_F(IndirectCalls, ScatterKeepsTheLastOfSeveral) {
    const auto to = create<double>(p, y);
    const auto values = create<double>(p, x);
    forEachElement(values, [](Index i, double& e) { e = static_cast<double>(i + 1); });
    Adlib::scatter(to, values, bins);
    forEachElement(to, [](Index i, double e) { EXPECT_EQ(e, i == 0 ? 9 : i == 2 ? 6 : 0); });
    Adlib::Scatter schedule(to, values, reversed, odd);
    schedule.execute();
    forEachElement(to, [](Index i, double e) {
        EXPECT_EQ(e, i % 2 == 1 ? static_cast<double>(9 - i) : i == 0 ? 9 : i == 2 ? 6 : 0);
    });
}

TEST_F(IndirectCalls, CombiningScatterMakesAHistogram) {
    const auto histogram = create<int>(p, 3);  // replicated: every copy gets all of it
    const auto ones = create<int>(p, x);
    forEachElement(ones, [](Index, int& e) { e = 1; });
    histogram.data()[1] = 7;
    Adlib::scatter(std::plus<>(), histogram, ones, bins);
    EXPECT_EQ(histogram.data()[0], 3);
    EXPECT_EQ(histogram.data()[1], 7);
    EXPECT_EQ(histogram.data()[2], 6);
    Adlib::Scatter schedule(histogram, ones, bins, odd);
    schedule.execute(std::minus<>());
    EXPECT_EQ(histogram.data()[0], 2);
    EXPECT_EQ(histogram.data()[2], 3);
}

TEST_F(IndirectCalls, AllProcessesHearOfABadSubscript) {
    forEachElement(reversed, [](Index i, int& e) { e = i == 7 ? 9 : 0; });
    EXPECT_MESSAGE(Adlib::gather(result, source, reversed),
                   "gather: subscript 9 for dimension 0 of the source, which has 9 locations; it "
                   "stands at (7)");
    EXPECT_MESSAGE(Adlib::scatter(source, result, reversed),
                   "scatter: subscript 9 for dimension 0");
    EXPECT_NO_THROW(Adlib::gather(result, source, bins));
}

TEST_F(IndirectCalls, DemandAlignedSubscripts) {
    const auto other = create<int>(p, y);
    EXPECT_MESSAGE(Adlib::gather(result, source, other),
                   "gather: the arrays are not aligned: the destination is BlockRange(9");
    EXPECT_MESSAGE(Adlib::scatter(source, result, other),
                   "scatter: the arrays are not aligned: the source is BlockRange(9");
    EXPECT_MESSAGE(Adlib::gather(result, source, reversed, create<bool>(p, y)),
                   "the mask is Cyclic");
}

}  // namespace
}  // namespace hpspmd::test
