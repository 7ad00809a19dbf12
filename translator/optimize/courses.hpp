// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How sums change from one iteration of a loop to the next.
#pragma once

#include "optimize/counters.hpp"

namespace hpcc::optimize {

/// A sum, split by what it owes to the counter of one loop.
struct SplitSum {
    int counter = -1;  // among the counters
    Sum moving;
    Sum fixed;
};

class Courses {
public:
    Courses(const FlowGraph& graph, const Versions& versions, Keys& keys)
        : graph_(graph), versions_(versions), keys_(keys), counters_(graph) {}

    const Counters& counters() const { return counters_; }
    const Counter& counter(int number) const {
        return counters_.counters()[static_cast<size_t>(number)];
    }

    /// By the counter of the innermost loop that the sum follows.
    SplitSum split(const Sum& sum) const;
    /// True if a variable moved by additions can stand for the moving part. It can if there is
    /// a multiplication, each term has one factor that follows the counter, and the others stay the
    /// same.
    bool isReducible(const SplitSum& sum, int block, int step) const;
    /// Why it cannot, in the user's words; null if there is nothing to reduce.
    const char* obstacleTo(const SplitSum& sum, int block, int step) const;
    /// True if all terms have the same value before the loop as before the step.
    bool isAllFixed(const Sum& sum, int loop, int block, int step) const;
    /// True if the start of the counter may be computed before the loop.
    bool startIsFixed(const Counter& counter) const;

    struct Course {
        Sum start;
        Sum step;
    };
    /// Of the whole sum, what is fixed included.
    Course courseOf(const SplitSum& sum);
    /// Of a counter, or of i.sub or i.global.
    Course courseOf(int factor);

private:
    int counterOfFactor(int factor) const;
    bool isFixed(int factor, int loop, int block, int step) const;

    const FlowGraph& graph_;
    const Versions& versions_;
    Keys& keys_;
    Counters counters_;
};

}  // namespace hpcc::optimize
