// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count.
#pragma once

#include "analysis/constant.hpp"
#include "ast/type.hpp"

namespace hpcc::analysis {

// for (T k = first; k < bound; k += step), up or down, and with the bound on the left. Whether
// something else assigns k is for the caller to see.
struct CountingLoop {
    NodePtr statement = nullptr;
    NodePtr name = nullptr;   // k where it is declared, or else assigned
    NodePtr first = nullptr;  // its value at start,
    NodePtr bound = nullptr;  // what it is compared with,
    std::string_view op;      // by <, <=, !=, > or >=, k being on the left
    long step = 1;            // and by how much it advances; not 0
    bool isOwn = false;       // k is all that the loop declares in its head
    long ahead = 0;           // k + ahead is what it compares: of countingAhead only

    // Of k, with all its bits; none if it is not known to be an integer.
    ast::NumberType number() const;
    bool includesBound() const { return op == "<=" || op == ">="; }

    // k != bound: the loop ends only if it meets the bound.
    bool endsByMeeting() const { return op == "!="; }

    // The variable is an integer wide enough to come to the bound, rather than wrap round before.
    bool holdsBound() const;

    // The body runs for a first value and a bound like these.
    bool runs(long long first, long long bound) const;
};

// Nothing if the `for` is none of this form, or runs away from its bound.
std::optional<CountingLoop> countingLoop(NodePtr forStatement);

// The same, also with k + c < bound, and c more than 0.
std::optional<CountingLoop> countingAhead(NodePtr forStatement);

// The same whatever its step is, which is left out.
std::optional<CountingLoop> loopHead(NodePtr forStatement);

// How often the body of a `for` with constant ends runs; 0 if that is not known.
long long roundsOf(NodePtr forStatement);

// By how much `++k`, `k -= 2`, `k = k + 1` advances the variable; nothing for anything else.
std::optional<long> advance(NodePtr step, std::string_view variable);

// The first test is true, whatever the step is.
bool runsAtLeastOnce(NodePtr forStatement);

// `for (int s = 0; s < steps; ++s)`, one over a container, the header `j = y for 0 : last`.
bool mayRunNever(NodePtr loop);

// A sum or product of numbers that are not, a size, a number of unsigned type.
bool isNeverNegative(NodePtr expression);

// The declarator of a declaration of one variable; null for anything else.
NodePtr soleDeclarator(NodePtr declaration);

}  // namespace hpcc::analysis
