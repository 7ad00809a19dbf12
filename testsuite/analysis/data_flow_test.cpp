// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The data-flow solver against a search for ways, on random graphs.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/data_flow.hpp"

namespace hpcc::analysis {
namespace {

constexpr size_t factCount = 4;

/// Blocks with any edges at all; what each makes of the facts: (facts - kills) + gens.
struct RandomProblem {
    explicit RandomProblem(unsigned seed) : random(seed) {
        const int count = number(1, 9);
        blocks.resize(static_cast<size_t>(count));
        for (int from = 0; from < count; ++from) {
            for (int edges = number(0, 3); edges > 0; --edges) connect(from, number(0, count - 1));
            gens.push_back(someFacts());
            kills.push_back(someFacts());
        }
        boundary = someFacts();
    }

    int number(int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    }
    Facts someFacts() {
        Facts facts(factCount);
        for (size_t fact = 0; fact < factCount; ++fact) facts[fact] = number(0, 2) == 0;
        return facts;
    }
    void connect(int from, int to) {
        blocks[static_cast<size_t>(from)].successors.push_back(to);
        blocks[static_cast<size_t>(to)].predecessors.push_back(from);
    }
    DataFlow solved(Direction direction, Meet meet) const {
        return solve(blocks, {direction, meet, boundary, [this](int block, Facts& facts) {
                                  facts -= kills[static_cast<size_t>(block)];
                                  facts |= gens[static_cast<size_t>(block)];
                              }});
    }

    std::mt19937 random;
    std::vector<Block<int>> blocks;
    std::vector<Facts> gens, kills;
    Facts boundary;
};

/// Follows one fact along all ways: where it arrives, and where its absence does.
class Ways {
public:
    Ways(const RandomProblem& problem, Direction direction, Meet meet, size_t fact)
        : problem_(problem), isForward_(direction == Direction::Forward), fact_(fact) {
        reach(0);
        for (const size_t block : reached_) {
            if (isForward_ ? block == 0 : problem.blocks[block].successors.empty())
                follow(block, problem.boundary[fact]);
            // A way without an end has no exit that could bring anything else.
            if (!isForward_) follow(block, meet == Meet::Intersection);
        }
    }

    bool arrives(size_t block, bool holds) const { return seen_.contains({block, holds}); }
    bool leaves(size_t block, bool holds) const {
        return (arrives(block, true) && behind(block, true) == holds) ||
               (arrives(block, false) && behind(block, false) == holds);
    }

private:
    bool behind(size_t block, bool holds) const {
        return problem_.gens[block][fact_] || (holds && !problem_.kills[block][fact_]);
    }
    void reach(size_t block) {
        if (!reached_.insert(block).second) return;
        for (const int next : problem_.blocks[block].successors) reach(static_cast<size_t>(next));
    }
    void follow(size_t block, bool holds) {
        if (!reached_.contains(block) || !seen_.insert({block, holds}).second) return;
        const Block<int>& here = problem_.blocks[block];
        for (const int next : isForward_ ? here.successors : here.predecessors)
            follow(static_cast<size_t>(next), behind(block, holds));
    }

    const RandomProblem& problem_;
    bool isForward_;
    size_t fact_;
    std::set<size_t> reached_;
    std::set<std::pair<size_t, bool>> seen_;
};

void compare(const RandomProblem& problem, Direction direction, Meet meet) {
    const DataFlow flow = problem.solved(direction, meet);
    const bool isForward = direction == Direction::Forward;
    const auto& arriving = isForward ? flow.before : flow.behind;
    const auto& leaving = isForward ? flow.behind : flow.before;
    const bool some = meet == Meet::Union;
    for (size_t fact = 0; fact < factCount; ++fact) {
        const Ways ways(problem, direction, meet, fact);
        for (size_t block = 0; block < problem.blocks.size(); ++block) {
            EXPECT_EQ(arriving[block][fact], some == ways.arrives(block, some));
            EXPECT_EQ(leaving[block][fact], some == ways.leaves(block, some));
        }
    }
}

// A block that is not reached is on no way: nothing arrives there, neither the fact nor its
// absence.
TEST(DataFlow, agreesWithASearchOverAllWays) {
    for (unsigned seed = 0; seed < 3000 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        const RandomProblem problem(seed);
        for (const Direction direction : {Direction::Forward, Direction::Backward})
            for (const Meet meet : {Meet::Union, Meet::Intersection})
                compare(problem, direction, meet);
    }
}

}  // namespace
}  // namespace hpcc::analysis
