/// The generated cases of plan_test under MPI: the calls themselves, against the same oracle.

#include <gtest/gtest.h>

#include <adlib/copy.hpp>
#include <adlib/remap.hpp>
#include <adlib/skew.hpp>
#include <adlib/transpose.hpp>
#include <hpspmd/active.hpp>

#include "cases.hpp"
#include "move_case.hpp"
#include "schedule/transfer.hpp"
#include "transport/messages.hpp"

namespace hpspmd::test {
namespace {

/// A case with this process's memory.
class LiveCase {
public:
    explicit LiveCase(MoveCase c)
        : case_(std::move(c)),
          to_(case_.destination(detail::ownRank())),
          from_(case_.kind == MoveCase::WriteHalo ? Memory() : case_.source(detail::ownRank())),
          amounts_(case_.isSkew() ? case_.amountsOn(detail::ownRank()) : Memory()) {}

    void run() {
        const detail::Operand to = operand("destination", case_.to, to_, toStorage_);
        const detail::Where where = detail::Where::here();
        if (case_.kind == MoveCase::WriteHalo)
            return detail::writeHalo(to, {case_.low.data(), case_.high.data(), case_.modes.data()},
                                     where);
        const detail::Operand from = operand("source", case_.from, from_, fromStorage_);
        if (case_.kind == MoveCase::Remap) return detail::remap(to, from, where);
        if (case_.kind == MoveCase::Transpose)
            return detail::transpose(to, from, case_.permutation.data(), where);
        if (case_.kind == MoveCase::Copy) return detail::copy(to, from, where);
        const auto beyond = case_.isCyclic() ? detail::Beyond::Wrapped : detail::Beyond::Kept;
        if (!case_.isSkew()) return detail::shift(to, from, case_.amount, case_.d, beyond, where);
        const detail::Operand amounts =
            operand("array of shifts", case_.amounts, amounts_, amountsStorage_);
        detail::skew(to, from, {amounts, readInteger}, case_.d, beyond, where);
    }

    void check() const { EXPECT_EQ(to_, case_.expected(detail::ownRank())) << case_.text; }

private:
    static detail::Operand operand(const char* role, const TestArray& array, Memory& memory,
                                   const detail::Storage& storage) {
        const bool holds = array.group.amMember();
        return {role, array.layout(), holds ? memory.data() + array.offset : nullptr,
                sizeof(std::int64_t), &storage};
    }

    static Index readInteger(const void* data, Index offset) {
        return static_cast<const std::int64_t*>(data)[offset];
    }

    MoveCase case_;
    Memory to_, from_, amounts_;
    detail::Storage toStorage_, fromStorage_, amountsStorage_;
};

void runCase(Random& random) {
    LiveCase live(makeMoveCase(random, apg().size()));
    live.run();
    live.check();
    live.run();  // once more, with the schedule from the cache
    live.check();
}

TEST(Moves, GeneratedCases) { forLiveCases(1500, runCase); }

TEST(Moves, LongMessagesTravelInParts) {
    detail::transport::setLargestPart(20);
    detail::Transfer::setPartBytes(24);
    forLiveCases(150, runCase);
    detail::Transfer::setPartBytes(detail::Transfer::usualPartBytes);
    detail::transport::setLargestPart(std::size_t{1} << 30);
}

}  // namespace
}  // namespace hpspmd::test
