// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// writeHalo of several arrays in one exchange: the same as one after the other.

#include <gtest/gtest.h>

#include <hpspmd>

#include "cases.hpp"
#include "errors.hpp"
#include "move_case.hpp"

namespace hpspmd::test {
namespace {

/// All slots of this process.
template <class A>
auto slotsOf(const A& a) {
    using T = typename A::Element;
    if (!a.grp().amMember()) return std::vector<T>();
    const T* first = a.data() - a.offset();
    return std::vector<T>(first, first + a.storage()->slots);
}

/// Numbers in all slots, ghost cells included.
template <class A>
void number(const A& a, int start) {
    if (!a.grp().amMember()) return;
    using T = typename A::Element;
    T* slot = a.data() - a.offset();
    for (Index k = 0; k < a.storage()->slots; ++k)
        slot[k] = static_cast<T>(static_cast<Index>(start) + 1000 * detail::ownRank() + k);
}

class Halos : public testing::Test {
protected:
    void SetUp() override {
        for (const auto& array : {a, a2}) number(array, 1);
        for (const auto& array : {b, b2}) number(array, 2);
        for (const auto& array : {c, c2}) number(array, 3);
    }
    void expectEqual() {
        EXPECT_EQ(slotsOf(a), slotsOf(a2));
        EXPECT_EQ(slotsOf(b), slotsOf(b2));
        EXPECT_EQ(slotsOf(c), slotsOf(c2));
    }

    Procs2 p;
    detail::On on{p};
    ExtBlockRange x{11, p.dim(0), 2, 1}, y{9, p.dim(1), 1, 1}, z{5, p.dim(0), 1, 1};
    Array<double, Dist, Dist> a = create<double>(p, x, y), a2 = like(a);
    Array<char, Dist> b = create<char>(p, z), b2 = like(b);
    Array<int, Dist, Seq, Dist> c = create<int>(p, y, 3, x), c2 = like(c);
};

TEST_F(Halos, AreThoseOfOneCallAfterTheOther) {
    if (!on) return;
    Adlib::writeHalo(a, b);
    Adlib::writeHalo(a2);
    Adlib::writeHalo(b2);
    expectEqual();
    Adlib::writeHalo(a, b, c);
    Adlib::writeHalo(c2);
    expectEqual();
}

TEST_F(Halos, OfSelectedSides) {
    if (!on) return;
    Adlib::writeHalo(
        Adlib::halo(a, {1, 0}, {0, 1}), b,
        Adlib::halo(c, {1, 0, 2}, {0, 0, 0}, {Adlib::Cyclic, Adlib::Edge, Adlib::None}));
    Adlib::writeHalo(a2, {1, 0}, {0, 1});
    Adlib::writeHalo(b2);
    Adlib::writeHalo(c2, {1, 0, 2}, {0, 0, 0}, {Adlib::Cyclic, Adlib::Edge, Adlib::None});
    expectEqual();
}

TEST_F(Halos, ByASchedule) {
    if (!on) return;
    Adlib::WriteHalos halos(a, b, Adlib::halo(c, {1, 0, 1}, {1, 0, 1}));
    for (int k = 0; k < 2; ++k) {
        halos.start();
        halos.finish();
    }
    Adlib::writeHalo(a2, b2, Adlib::halo(c2, {1, 0, 1}, {1, 0, 1}), b2);
    expectEqual();
    EXPECT_MESSAGE(halos.finish(), "WriteHalos: finish() without start()");
}

TEST_F(Halos, ByAScheduleOfOtherArrays) {
    if (!on) return;
    Adlib::WriteHalos halos(a, Adlib::halo(c, {1, 0, 1}, {1, 0, 0}));
    halos.execute(a2, c2);
    Adlib::writeHalo(a);
    Adlib::writeHalo(c, {1, 0, 1}, {1, 0, 0});
    expectEqual();
    number(a2, 5);
    number(a, 5);
    halos.start(a2, c);
    EXPECT_MESSAGE(halos.start(a, c2), "WriteHalos: the schedule is already under way");
    halos.finish();
    Adlib::writeHalo(a);
    expectEqual();
    const auto narrow = create<double>(p, ExtBlockRange(11, p.dim(0), 1, 1), y);
    EXPECT_MESSAGE(halos.execute(narrow, c),
                   "WriteHalos: the schedule was made for arrays with other ranges");
    EXPECT_MESSAGE(halos.start(narrow, c), "WriteHalos: the schedule was made for arrays with");
    EXPECT_MESSAGE(halos.finish(), "WriteHalos: finish() without start()");
}

/// Which ghost cells a schedule fills is noted of the arrays that it is given.
TEST_F(Halos, OfOtherArraysAreFresh) {
    if (!on) return;
    const auto below = [](const auto& array) {
        return array.ghosts()->areFresh(array.descriptor()[0], 0, 1, 0);
    };
    Adlib::WriteHalos halos(Adlib::halo(a, {1, 1}, {0, 0}), b);
    detail::markWritten(a.descriptor());
    detail::markWritten(a2.descriptor());
    halos.execute(a2, b2);
    const Block held = x.localBlock();
    const bool isFirst = held.count == 0 || held.globalBase == 0;  // the cells lie beyond the end
    EXPECT_TRUE(below(a2));
    EXPECT_EQ(below(a), isFirst);
}

/// How many ghost cells count as fresh, on both sides of both dimensions.
std::vector<Index> freshCells(const Array<double, Dist, Dist>& a) {
    std::vector<Index> cells;
    for (int r = 0; r < 2; ++r)
        for (const Index side : {a.ghosts()->freshBelow(a.descriptor()[r], r),
                                 a.ghosts()->freshAbove(a.descriptor()[r], r)})
            cells.push_back(side);
    return cells;
}

/// A call of a process alone has no schedule; its stamps, and a torus's elements, are the same.
TEST_F(Halos, FillWhatTheirSchedulesFill) {
    if (!on) return;
    using Adlib::Cyclic, Adlib::Edge, Adlib::None;
    const auto expectSame = [&](const auto&... arguments) {
        for (const auto& array : {a, a2}) detail::markWritten(array.descriptor());
        Adlib::writeHalo(a, arguments...);
        Adlib::WriteHalo(a2, arguments...).execute();
        EXPECT_EQ(slotsOf(a), slotsOf(a2));
        EXPECT_EQ(freshCells(a), freshCells(a2));
    };
    using Widths = std::array<int, 2>;
    using Modes = std::array<Adlib::Mode, 2>;
    expectSame();
    expectSame(Widths{1, 0}, Widths{0, 1});
    for (const Modes& modes :
         {Modes{Edge, Edge}, Modes{None, Edge}, Modes{Edge, Cyclic}, Modes{Edge, None}})
        expectSame(Widths{2, 1}, Widths{1, 1}, modes);
    expectSame();
}

/// Cases of writeHalo as the parts of one exchange; all elements times `factor`.
class Parts {
public:
    Parts(const std::vector<MoveCase>& cases, std::int64_t factor)
        : cases_(cases), factor_(factor) {
        for (const MoveCase& c : cases)
            memory_.push_back(times(factor, c.destination(detail::ownRank())));
    }

    std::vector<detail::HaloPart> operands() {
        std::vector<detail::HaloPart> result;
        for (std::size_t k = 0; k < cases_.size(); ++k) {
            const MoveCase& c = cases_[k];
            std::int64_t* data = c.to.group.amMember() ? memory_[k].data() + c.to.offset : nullptr;
            const detail::Operand array{"array", c.to.layout(), data, sizeof *data, nullptr};
            result.push_back({array, c.low, c.high, c.modes});
        }
        return result;
    }
    void check() const {
        for (std::size_t k = 0; k < cases_.size(); ++k)
            EXPECT_EQ(memory_[k], times(factor_, cases_[k].expected(detail::ownRank())))
                << cases_[k].text;
    }

private:
    const std::vector<MoveCase>& cases_;
    std::int64_t factor_;
    std::vector<Memory> memory_;
};

void runCase(Random& random) {
    std::vector<MoveCase> cases;
    for (int k = 0; k < 24; ++k) {
        const MoveCase c = makeMoveCase(random, apg().size());
        if (c.kind == MoveCase::WriteHalo) cases.push_back(c);
    }
    const detail::Where where = detail::Where::here();
    Parts own(cases, 1), called(cases, 3), other(cases, 5);
    const auto schedule = detail::makeWriteHalos(own.operands(), where);
    for (Parts* parts : {&own, &other}) {
        detail::startHalos(*schedule, parts->operands(), where);
        detail::finishHalos(*schedule, where);
        parts->check();
    }
    detail::writeHalos(called.operands(), where);
    called.check();
}

TEST(WriteHalos, GeneratedCases) { forLiveCases(100, runCase); }

TEST_F(Halos, DemandWidthsOfTheRange) {
    if (!on) return;
    EXPECT_MESSAGE(Adlib::writeHalo(b, Adlib::halo(a, {0, 2}, {0, 0})),
                   "writeHalo: 2 cells below the blocks of dimension 1");
}

}  // namespace
}  // namespace hpspmd::test
