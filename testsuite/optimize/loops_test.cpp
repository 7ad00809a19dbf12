// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Natural loops of random functions: each is a loop of the language, and the statement's place is
// its landing pad.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "function_fixture.hpp"

namespace hpcc::optimize {
namespace {

/// Nested statements with jumps out of loops, switches and handlers.
class RandomStatements {
public:
    explicit RandomStatements(unsigned seed) : random_(seed) {}

    std::string list(int depth, bool isInLoop) {
        std::string result;
        for (int count = number(1, 3); count > 0; --count) result += statement(depth, isInLoop);
        return result;
    }

private:
    int number(int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random_);
    }
    std::string block(int depth, bool isInLoop) { return "{ " + list(depth - 1, isInLoop) + "} "; }

    std::string statement(int depth, bool isInLoop) {
        const std::string call = "g(" + std::to_string(calls_++) + "); ";
        switch (number(depth > 0 ? 0 : 7, 11)) {
        case 0:
            return "if (c) " + block(depth, isInLoop);
        case 1:
            return "if (c) " + block(depth, isInLoop) + "else " + block(depth, isInLoop);
        case 2:
            return "for (int k = 0; k < n; ++k) " + block(depth, true);
        case 3:
            return "while (c) " + block(depth, true);
        case 4:
            return "do " + block(depth, true) + "while (c); ";
        case 5:
            return "switch (n) { case 1: " + call + "break; default: " + block(depth, isInLoop) +
                   "} ";
        case 6:
            return "try " + block(depth, isInLoop) + "catch (...) " + block(depth, isInLoop);
        case 7:
            return isInLoop ? "if (c) break; " : call;
        case 8:
            return isInLoop ? "if (n) continue; " : call;
        case 9:
            return "if (n) return; ";
        default:
            return call;
        }
    }

    std::mt19937 random_;
    int calls_ = 0;
};

/// The blocks from which `from` is reached without passing `head`, both of them included.
std::set<int> naturalLoop(const FlowGraph& graph, int head, int from) {
    std::set<int> loop{head};
    std::vector<int> work{from};
    while (!work.empty()) {
        const int block = work.back();
        work.pop_back();
        if (!loop.insert(block).second) continue;
        for (const int before : graph.blocks()[static_cast<size_t>(block)].predecessors)
            work.push_back(before);
    }
    return loop;
}

/// The innermost loop statement that holds all steps of these blocks; -1 if there is none.
int statementOf(const FlowGraph& graph, const Dominators& dominators, const std::set<int>& loop) {
    int found = -1;
    for (int place = 0; place < static_cast<int>(graph.places().size()); ++place) {
        if (!graph.place(place).isLoop) continue;
        bool holdsAll = true;
        for (const int block : loop)
            for (const Step& step : graph.blocks()[static_cast<size_t>(block)].steps)
                holdsAll &= !dominators.isReached(block) || graph.isInside(step.place, place);
        if (holdsAll) found = place;
    }
    return found;
}

TEST(NaturalLoops, areThoseOfTheLanguageWithTheirLandingPads) {
    int loops = 0;
    for (unsigned seed = 0; seed < 800 && !HasFailure(); ++seed) {
        const std::string body = RandomStatements(seed).list(3, false);
        SCOPED_TRACE(body);
        const FunctionFixture f(body);
        const Dominators dominators(f.graph);
        std::vector<size_t> position(f.graph.blocks().size());
        for (size_t k = 0; k < dominators.order().size(); ++k)
            position[static_cast<size_t>(dominators.order()[k])] = k;
        for (const int from : dominators.order())
            for (const int head : f.graph.blocks()[static_cast<size_t>(from)].successors) {
                if (position[static_cast<size_t>(head)] > position[static_cast<size_t>(from)])
                    continue;
                ASSERT_TRUE(dominators.dominates(head, from));
                const std::set<int> loop = naturalLoop(f.graph, head, from);
                const int statement = statementOf(f.graph, dominators, loop);
                ASSERT_GE(statement, 0);
                const int pad = f.graph.place(statement).block;
                EXPECT_TRUE(dominators.dominates(pad, head));
                EXPECT_FALSE(loop.contains(pad));
                ++loops;
            }
    }
    EXPECT_GT(loops, 500);
}

}  // namespace
}  // namespace hpcc::optimize
