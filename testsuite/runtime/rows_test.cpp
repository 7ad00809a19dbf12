// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of an array of which the host and one to four devices have copies, beside a byte per row and
// copy.
#include "device/rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

namespace hpspmd::detail {
namespace {

constexpr std::size_t most = 40;

// The bytes of all copies, and what was written last.
struct Model {
    explicit Model(std::size_t devices) : copies(devices + 1), isValid(devices + 1) {
        for (auto& copy : copies) copy.fill(0xEE);
        copies[0].fill(0);
        isValid[0].fill(true);
        last.fill(0);
        for (std::size_t k = 0; k < devices; ++k) states.addCopy();
    }

    // Devices give each other rows, if they reach each other.
    void enter(std::size_t copy, const RowStretch& rows, bool reachesOthers = false) {
        if (reachesOthers && copy != 0) {
            const auto moves = states.directMovesFor(copy, rows);
            for (const RowMove& each : moves) ASSERT_TRUE(each.from != 0 && each.to == copy);
            for (const RowMove& each : moves)
                for (Index r = each.rows.begin; r < each.rows.end; ++r)
                    ASSERT_FALSE(isValid[0][static_cast<std::size_t>(r)]);
            perform(moves);
        }
        const auto moves = states.movesFor(copy, rows);
        for (const RowMove& each : moves) ASSERT_TRUE(each.from == 0 || each.to == 0);
        perform(moves);
    }

    // Only rows that are valid may be moved, and none that is valid already.
    void perform(const std::vector<RowMove>& moves) {
        for (const RowMove& move : moves) {
            for (Index r = move.rows.begin; r < move.rows.end; ++r) {
                const auto row = static_cast<std::size_t>(r);
                ASSERT_TRUE(isValid[move.from][row]);
                ASSERT_FALSE(isValid[move.to][row]);
                copies[move.to][row] = copies[move.from][row];
                isValid[move.to][row] = true;
                ++moved;
            }
            states.becomesValid(move.to, move.rows);
        }
    }

    void write(std::size_t copy, const RowStretch& rows, unsigned char value) {
        states.isWritten(copy, rows);
        for (Index r = rows.begin; r < rows.end; ++r) {
            const auto row = static_cast<std::size_t>(r);
            for (std::size_t other = 0; other < copies.size(); ++other) {
                if (other == copy) continue;
                isValid[other][row] = false;
                copies[other][row] = static_cast<unsigned char>(value + 1 + other);
            }
            copies[copy][row] = last[row] = value;
        }
    }

    std::vector<std::array<unsigned char, most>> copies;
    std::vector<std::array<bool, most>> isValid;
    std::array<unsigned char, most> last{};
    RowStates states{most};
    Index moved = 0;
};

void expectTheSame(const Model& model) {
    for (std::size_t copy = 0; copy < model.copies.size(); ++copy) {
        std::array<bool, most> valid{};
        Index end = -1;
        for (const RowStretch& each : model.states.validIn(copy).stretches()) {
            ASSERT_FALSE(each.isEmpty());
            ASSERT_GT(each.begin, end);  // with a gap between them
            end = each.end;
            for (Index r = each.begin; r < each.end; ++r) valid[static_cast<std::size_t>(r)] = true;
        }
        ASSERT_EQ(valid, model.isValid[copy]);
    }
}

TEST(Rows, AnyCopyReadsWhatWasWrittenLast) {
    std::mt19937 random(7);
    // Where each step takes twenty times as long, for the sake of the memory that it reaches.
    const int steps = std::getenv("FEWER_STEPS") ? 20000 : 250000;
    for (std::size_t devices = 1; devices <= 4; ++devices) {
        Model model(devices);
        for (int step = 0; step < steps; ++step) {
            if (random() % 5000 == 0) model = Model(devices);
            const std::size_t copy = random() % (devices + 1);
            const auto begin = static_cast<Index>(random() % most);
            const RowStretch rows{begin,
                                  std::min<Index>(most, begin + static_cast<Index>(random() % 9))};
            ASSERT_NO_FATAL_FAILURE(model.enter(copy, rows, random() % 2 == 0));
            for (Index r = rows.begin; r < rows.end; ++r) {
                const auto row = static_cast<std::size_t>(r);
                ASSERT_EQ(model.copies[copy][row], model.last[row]) << "step " << step;
            }
            if (random() % 2 == 0) model.write(copy, rows, static_cast<unsigned char>(random()));
            if (step % 7 == 0) {
                ASSERT_NO_FATAL_FAILURE(expectTheSame(model));
            }
        }
    }
}

TEST(Rows, NeighboursGiveEachOtherOneRow) {
    // The second part on a device that the first one reaches or does not reach, or on the host.
    for (const auto& [host, isDirect, expected] :
         {std::tuple{0, true, 20}, std::tuple{0, false, 40}, std::tuple{1, false, 20}}) {
        Model model(2);
        const std::size_t one = 1, other = host == 1 ? 0 : 2;
        const RowStretch low{0, 20}, high{20, most};
        const auto sweep = [&] {
            model.enter(one, {0, 21}, isDirect);
            model.enter(other, {19, most}, isDirect);
            model.write(one, low, 1);
            model.write(other, high, 2);
        };
        sweep();
        model.moved = 0;
        for (int k = 0; k < 10; ++k) sweep();
        EXPECT_EQ(model.moved, expected);
    }
}

TEST(Rows, RowsOutsideOfTheArrayAreNone) {
    RowStates states(10);
    const std::size_t device = states.addCopy();
    const auto moves = states.movesFor(device, {-3, 99});
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(moves[0].rows, (RowStretch{0, 10}));
    EXPECT_TRUE(states.movesFor(device, {10, 12}).empty());
}

}  // namespace
}  // namespace hpspmd::detail
