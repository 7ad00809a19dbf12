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

    /// The last stage, which makes the text.
    std::string emit(const ast::Unit& unit, bool lineDirectives);

    /// The table of --time-passes on the standard error output.
    void report(const std::string& file) const;

private:
    using Clock = std::chrono::steady_clock;

    void note(const std::string& name, Clock::time_point start);

    bool timesPasses_;
    std::vector<std::string> printAfter_;
    std::vector<std::pair<std::string, std::chrono::duration<double>>> times_;
};

}  // namespace hpcc::driver
