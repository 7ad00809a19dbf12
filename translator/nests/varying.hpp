// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nests/nest.hpp"

namespace hpcc::nests {

/// What differs between iterations of a loop that run at once, in step: numbers, and the ways that
/// they go. A number that all of them change alike, a counter, say, is one for all of them.
class Varying {
public:
    explicit Varying(const Loop& loop);

    /// True if the value of an expression is perhaps not the same in all of them.
    bool varies(ast::NodePtr expression) const;
    bool varies(std::string_view name) const { return names_.contains(name); }

    /// True of an assignment, ++ or -- that only some of the iterations come to, while others that
    /// do not read the number again.
    bool isPartial(ast::NodePtr assignment) const { return partial_.contains(assignment); }

    /// How iterations go through a loop inside.
    struct Way {
        bool leaves = false;     // they end it one by one,
        bool breaks = false;     // by a `break`, too,
        bool continues = false;  // or leave parts of an iteration out by a `continue`
    };
    const Way& wayOf(ast::NodePtr loop) const { return ways_.at(loop); }
    /// True of a `break` or `continue` that all come to that still run.
    bool isCommon(ast::NodePtr jump) const { return common_.contains(jump); }

private:
    struct Home {
        int depth, loops;  // where it is declared
    };
    struct Round {
        ast::NodePtr loop;
        int bodyDepth;
    };
    void scan(ast::NodePtr statement);
    void scanLoop(ast::NodePtr loop);
    void declare(ast::NodePtr declaration, int depth);
    void exchange(ast::NodePtr call, ast::NodePtr one, ast::NodePtr other);
    void assignIn(ast::NodePtr expression);
    void jump(ast::NodePtr statement);
    void bringInto(ast::NodePtr loop, int outer);
    void vary(std::string_view name) { hasChanged_ |= names_.insert(name).second; }
    void set(bool& flag) { hasChanged_ |= !std::exchange(flag, true); }

    const Loop& loop_;
    Names names_;
    std::unordered_set<ast::NodePtr> partial_, common_;
    std::unordered_map<ast::NodePtr, Way> ways_;
    std::map<std::string_view, Home> homes_;
    std::map<std::string_view, int> mentions_;
    std::vector<Round> rounds_;
    int depth_ = 0;  // of conditions that differ
    bool hasChanged_ = false;
};

}  // namespace hpcc::nests
