// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "ast/arena.hpp"

namespace hpcc::lower {

/// The values that subscripts of a `*` slot take: base + lo .. base + hi. `k - 1` and `k + 1` of
/// one loop are {"k", -1, 1}; `0` is {"", 0, 0}.
struct Reach {
    std::string base;    // C++ text; empty for a constant
    long constant = 0;   // what the base has to the right of it, at most 0: `n - 1` is "n", -1
    bool isEnd = false;  // the base is the end of a loop, else the user's own subscript
    long lo = 0;
    long hi = 0;
    std::unordered_set<std::string_view> names;  // in the base
    bool isSafe = true;                          // may be evaluated where there is no iteration
    bool harmless =
        true;  // may be evaluated where the access perhaps does not follow: calls nothing

    bool sameBase(const Reach& other) const {
        return base == other.base && constant == other.constant && isEnd == other.isEnd;
    }
    /// `lo`, `hi` as C++ text; one of them if they are equal.
    std::vector<std::string> values() const;
};

using Reaches = std::vector<Reach>;

/// What a sequential subscript reaches; nothing if it cannot be evaluated elsewhere.
std::optional<Reach> reachOf(ast::NodePtr subscript);

void widen(Reaches& reaches, const Reach& reach);
bool contains(const Reaches& outer, const Reaches& inner);

/// A loop like `for (int k = 0; k < n; ++k)`, up or down, that assigns k nowhere else.
struct CountingLoop {
    std::string name;            // k
    long first = 0;              // its least value, at least 0
    Reach last;                  // its largest one, if the body runs at all and no jump leaves it
    bool endsByMeeting = false;  // `k != n`, from 0 or 1: never, if the largest one is negative
    bool isComplete = false;     // it counts by ones
};

std::optional<CountingLoop> asCountingLoop(ast::NodePtr forStatement);

/// True if it may throw or end the program, by a call.
bool mayEnd(ast::NodePtr node);

/// True if whatever runs in the loop surely runs in its last iteration too: no jump, and no call
/// that might throw or end the program.
bool runsToEnd(ast::NodePtr loop);

/// The reaches as they are over all iterations.
void leaveLoop(Reaches& reaches, const CountingLoop& loop);

/// The condition under which the body of a `for` runs at all: `0 < n` for
/// `for (int k = 0; k < n; ++k)`. Null if it cannot be told beforehand.
struct LoopGuard {
    bool known = false;
    ast::NodePtr condition = nullptr;  // null although known: the body certainly runs
};

LoopGuard loopGuard(ast::Arena& arena, ast::NodePtr forStatement);

}  // namespace hpcc::lower
