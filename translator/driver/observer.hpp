// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ast/unit.hpp"

namespace hpcc::driver {

/// Watches the pipeline: measures each stage (--time-passes) and prints the program after those
/// that the user named (--print-after).
class Observer {
public:
    Observer(bool timesPasses, std::vector<std::string> printAfter)
        : timesPasses_(timesPasses), printAfter_(std::move(printAfter)) {}

    /// Performs one stage or pass, which makes or changes a unit.
    ast::Unit perform(const std::string& name, const std::function<ast::Unit()>& stage);

    /// Measures what is no stage of its own; the times of equal names add up.
    void measure(const std::string& name, const std::function<void()>& work);

    /// True if the user asked for the times of stages, or for the unit behind one.
    bool isWatching() const { return timesPasses_ || !printAfter_.empty(); }

    /// True if a unit must be whole to be printed between stages.
    bool printsWholeUnits() const { return !printAfter_.empty(); }

    /// The table of --time-passes on the standard error output.
    void report(const std::string& file) const;

private:
    using Clock = std::chrono::steady_clock;

    bool timesPasses_;
    std::vector<std::string> printAfter_;
    std::vector<std::pair<std::string, std::chrono::duration<double>>> times_;
};

}  // namespace hpcc::driver
