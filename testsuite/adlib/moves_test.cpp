// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The generated cases of plan_test under MPI: the calls themselves, against the same oracle.

#include <gtest/gtest.h>

#include <adlib/copy.hpp>
#include <adlib/remap.hpp>
#include <adlib/skew.hpp>
#include <adlib/transpose.hpp>
#include <algorithm>
#include <hpspmd/active.hpp>
#include <utility>

#include "arena.hpp"
#include "cases.hpp"
#include "move_case.hpp"
#include "plan/operation.hpp"
#include "schedule/transfer.hpp"
#include "transport/messages.hpp"

namespace hpspmd::test {
namespace {

/// Elements in an arena, as those of arrays are; or on the heap, where no neighbour sees them.
class Elements {
public:
    Elements(const Memory& contents, detail::Arena* arena) : contents_(contents), arena_(arena) {
        if (arena == nullptr) return;
        piece_ = arena->allocate(bytes());
        std::copy(contents.begin(), contents.end(), data());
    }
    ~Elements() {
        if (arena_ != nullptr) arena_->release(piece_, bytes());
    }
    Elements(const Elements&) = delete;
    Elements& operator=(const Elements&) = delete;

    std::int64_t* data() {
        return arena_ != nullptr ? reinterpret_cast<std::int64_t*>(piece_) : contents_.data();
    }
    Memory contents() const {
        if (arena_ == nullptr) return contents_;
        const auto* first = reinterpret_cast<const std::int64_t*>(piece_);
        return Memory(first, first + contents_.size());
    }

private:
    std::size_t bytes() const { return contents_.size() * sizeof contents_[0]; }

    Memory contents_;
    detail::Arena* arena_;
    std::byte* piece_ = nullptr;
};

std::int64_t mix(std::int64_t old, std::int64_t arrived) { return 3 * old + arrived; }
using Mix = std::int64_t (*)(std::int64_t, std::int64_t);
constexpr Mix mixed = mix;

/// A case with this process's memory; all elements times `factor`.
class LiveCase {
public:
    explicit LiveCase(MoveCase c, detail::Arena* arena = nullptr, std::int64_t factor = 1)
        : case_(std::move(c)),
          factor_(factor),
          to_(times(factor, case_.destination(detail::ownRank())), arena),
          from_(case_.kind == MoveCase::WriteHalo ? Memory()
                                                  : times(factor, case_.source(detail::ownRank())),
                arena),
          amounts_(case_.isSkew() ? case_.amountsOn(detail::ownRank()) : Memory(), nullptr) {}

    /// The schedule of this case.
    detail::Schedule schedule() {
        const detail::Operand to = operand("destination", case_.to, to_, toStorage_);
        const detail::Where where = detail::Where::here();
        if (case_.kind == MoveCase::WriteHalo)
            return detail::makeWriteHalo(
                to, {case_.low.data(), case_.high.data(), case_.modes.data()}, where);
        const detail::Operand from = operand("source", case_.from, from_, fromStorage_);
        if (case_.kind == MoveCase::Remap) return detail::makeRemap(to, from, where);
        if (case_.kind == MoveCase::Transpose)
            return detail::makeTranspose(to, from, case_.permutation.data(), where);
        if (case_.kind == MoveCase::Copy) return detail::makeCopy(to, from, where);
        const auto beyond = case_.isCyclic() ? detail::Beyond::Wrapped : detail::Beyond::Kept;
        if (!case_.isSkew())
            return detail::makeShift(to, from, case_.amount, case_.d, beyond, where);
        const detail::Operand amounts =
            operand("array of shifts", case_.amounts, amounts_, amountsStorage_);
        return detail::makeSkew(to, from, {amounts, readInteger, where}, case_.d, beyond, where);
    }
    /// Its first half, by a schedule of a case with the same descriptors.
    void start(detail::Schedule& schedule) {
        const detail::Operand to = operand("destination", case_.to, to_, toStorage_);
        const bool isWithin = case_.kind == MoveCase::WriteHalo;
        const detail::Operand from =
            isWithin ? to : operand("source", case_.from, from_, fromStorage_);
        schedule.start(to, from, detail::Where::here());
    }

    void run() {
        const detail::Operand to = operand("destination", case_.to, to_, toStorage_);
        const detail::Where where = detail::Where::here();
        if (case_.kind == MoveCase::WriteHalo)
            return detail::writeHalo(to, {case_.low.data(), case_.high.data(), case_.modes.data()},
                                     where);
        const detail::Operand from = operand("source", case_.from, from_, fromStorage_);
        if (case_.kind == MoveCase::Remap) return detail::remap(to, from, combining_, where);
        if (case_.kind == MoveCase::Transpose)
            return detail::transpose(to, from, case_.permutation.data(), combining_, where);
        if (case_.kind == MoveCase::Copy) return detail::copy(to, from, where);
        const auto beyond = case_.isCyclic() ? detail::Beyond::Wrapped : detail::Beyond::Kept;
        if (!case_.isSkew()) return detail::shift(to, from, case_.amount, case_.d, beyond, where);
        const detail::Operand amounts =
            operand("array of shifts", case_.amounts, amounts_, amountsStorage_);
        detail::skew(to, from, {amounts, readInteger, where}, case_.d, beyond, where);
    }

    void check() const {
        EXPECT_EQ(to_.contents(), times(factor_, case_.expected(detail::ownRank()))) << case_.text;
    }

    /// From now on what arrives is combined with what is there; of remap and transpose only.
    void combine() { combining_ = detail::combiningBy<std::int64_t>(mixed); }
    void checkCombined() const {
        const Memory before = case_.destination(detail::ownRank());
        Memory expected = case_.expected(detail::ownRank());
        for (std::size_t k = 0; k < expected.size(); ++k)
            if (expected[k] != before[k]) expected[k] = mix(before[k], expected[k]);
        EXPECT_EQ(to_.contents(), expected) << case_.text;
    }

private:
    static detail::Operand operand(const char* role, const TestArray& array, Elements& memory,
                                   const detail::Storage& storage) {
        const bool holds = array.group.amMember();
        return {role, array.layout(), holds ? memory.data() + array.offset : nullptr,
                sizeof(std::int64_t), &storage};
    }

    static Index readInteger(const detail::Integers& integers, Index offset) {
        return static_cast<const std::int64_t*>(integers.array.data)[offset];
    }

    MoveCase case_;
    std::int64_t factor_;
    Elements to_, from_, amounts_;
    detail::Combining combining_;
    detail::Storage toStorage_, fromStorage_, amountsStorage_;
};

void runCase(Random& random) {
    LiveCase live(makeMoveCase(random, apg().size()));
    live.run();
    live.check();
    live.run();  // once more, with the schedule from the cache
    live.check();
}

void runCaseInArenas(Random& random) {
    const MoveCase c = makeMoveCase(random, apg().size());
    for (detail::Arena* arena : {&detail::nodeArena(), &detail::privateArena()}) {
        LiveCase live(c, arena);
        live.run();
        live.check();
        live.run();
        live.check();
    }
}

void combineCase(Random& random) {
    const MoveCase c = makeMoveCase(random, apg().size());
    if (c.kind != MoveCase::Remap && c.kind != MoveCase::Transpose) return;
    for (detail::Arena* arena : {static_cast<detail::Arena*>(nullptr), &detail::privateArena()}) {
        LiveCase live(c, arena);
        live.combine();
        live.run();
        live.checkCombined();
    }
}

/// One schedule for three sets of arrays, two of which are under way at the same time.
void runBySchedule(Random& random) {
    const MoveCase c = makeMoveCase(random, apg().size());
    LiveCase made(c), second(c, nullptr, 3), third(c, &detail::nodeArena(), 5);
    detail::Schedule schedule = made.schedule();
    for (LiveCase* live : {&second, &third}) live->start(schedule);
    for (int k = 0; k < 2; ++k) schedule.finish(detail::Where::here());
    made.start(schedule);
    schedule.finish(detail::Where::here());
    for (const LiveCase* live : {&made, &second, &third}) live->check();
}

/// Messages of any length are read where they lie, if they can be.
class LongMessages {
public:
    LongMessages() : usual_(std::exchange(detail::plan::longMessage, 1)) {}
    ~LongMessages() { detail::plan::longMessage = usual_; }

private:
    Index usual_;
};

TEST(Moves, GeneratedCases) { forLiveCases(1500, runCase); }

TEST(Moves, SchedulesServeOtherArrays) { forLiveCases(400, runBySchedule); }

TEST(Moves, LongMessagesTravelInParts) {
    detail::transport::setLargestPart(20);
    detail::Transfer::setPartBytes(24);
    forLiveCases(150, runCase);
    detail::Transfer::setPartBytes(detail::Transfer::usualPartBytes);
    detail::transport::setLargestPart(std::size_t{1} << 30);
}

TEST(Moves, LongMessagesAreRead) {
    const LongMessages all;
    forLiveCases(300, runCaseInArenas);
    forLiveCases(100, runCase);
}

TEST(Moves, Combine) {
    forLiveCases(300, combineCase);
    const LongMessages all;
    forLiveCases(300, combineCase);
}

}  // namespace
}  // namespace hpspmd::test
