// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions that are partially redundant where the sides of an `if` meet.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "optimize/placement.hpp"

namespace hpcc::optimize {

/// The end of one side of an `if`. branch: its statement; -1: there is no `else`.
struct Side {
    int condition = 0;  // the place of the `if`
    int branch = -1;
    int block = 0;
    int step = 0;
};

/// One name for the values that an expression has before branches that change them, in the
/// branches and behind them. It is assigned before each of the spots and at the end of each of the
/// sides, and read by the sites, those of the spots among them.
struct Web {
    std::vector<Spot> spots;
    std::vector<Side> sides;
    std::vector<int> sites;
    int declaration = -1;  // before this place
};

/// The values of one expression: the versions of its variables, and the sites that ask for them.
using Values = std::map<Variables, std::vector<int>>;

/// SSAPRE (thesis, 5.1) at these places. Where a phi function of a variable makes a new value, it
/// is a phi function of the expression, too, if the value is certain to be asked for (it is
/// down-safe) and some side has computed its own value already (it can be available). The other
/// sides compute theirs at the end. So no way computes more than before.
///
///     s += a[i, k];                  t = ..k..; s += a[t];
///     if (c) ++k;           becomes  if (c) { ++k; t = ..k..; }
///     s += a[i, k];                  s += a[t];
class Joins {
public:
    Joins(const Keys& keys, const Versions& versions, const Questions& questions,
          const std::vector<Site>& sites);

    std::vector<Web> websOf(int key, const Values& values) const;

private:
    /// A web that grows, with its values behind branches.
    struct Growth {
        std::vector<Spot> spots;
        std::vector<Side> sides;
        std::set<Variables> joined;
    };
    struct Search;  // for the webs of one key

    Variables valueAt(int key, int block, int step) const {
        return versions_.at(block, step, keys_[key].variables);
    }
    std::vector<Side> sidesOf(int condition) const;
    std::vector<int> conditionsOf(int key) const;
    std::vector<Use> usesOf(int key, const std::vector<int>& sites) const;
    std::optional<Spot> spotBefore(int key, const std::vector<int>& sites, const Side& side) const;
    bool join(const Search& search, int condition, int goal, Growth& growth) const;
    bool isAvailable(const Search& search, const Side& side, Growth& growth) const;
    Web webOf(const Search& search, const Growth& growth) const;
    int declarationOf(const Web& web) const;

    const Keys& keys_;
    const FlowGraph& graph_;
    const Versions& versions_;
    const Questions& questions_;
    const std::vector<Site>& sites_;
    std::map<int, int> conditions_;  // the `if` whose sides meet in a block
};

}  // namespace hpcc::optimize
