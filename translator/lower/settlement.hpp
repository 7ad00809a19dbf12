// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lower/check_plan.hpp"

namespace hpcc::lower {

/// Gives demands their final places in a plan.
class Settlement {
public:
    Settlement(CheckPlan& plan, const ast::FreshNames& names) : plan_(plan), names_(names) {}

    /// `certain`, which could be checked before `home`, as it leaves the condition that home is
    /// under.
    Demand uncertain(Demand certain, ast::NodePtr home, bool isAccess = false);
    /// The same as it leaves an `#if` that home stands under.
    Demand perhapsLeftOut(Demand demand, ast::NodePtr home);

    /// Checks the demands before `statement`: the uncertain ones by a flag if that saves anything,
    /// that is if a loop lies between, else at their homes.
    void place(ast::NodePtr statement, const Demands& demands);
    void place(ast::NodePtr statement, Demand demand);

    /// Checks the demands at the start of `body`, which is a block or any other statement.
    void placeAtStart(ast::NodePtr body, const Demands& demands);

    /// Puts the demand into a list that moves outwards.
    void collect(Demands& list, Demand demand);

    /// True if what stands before `statement` makes the demand superfluous, which is then noted.
    bool isMetAt(ast::NodePtr statement, Demand demand);

private:
    void met(const Demands& demands);
    void placeCertain(ast::NodePtr statement, Demand demand);
    void within(const Demand& demand);
    void placeAtHomes(const Demand& demand);
    void placeFlag(ast::NodePtr statement, Demand demand);
    std::string flagName(const Demand& demand);

    CheckPlan& plan_;
    const ast::FreshNames& names_;
    ast::FreshNames::Counts counts_;  // of the flags
};

/// The statement before which what belongs to the start of `body` stands.
ast::NodePtr startOf(ast::NodePtr body);

}  // namespace hpcc::lower
