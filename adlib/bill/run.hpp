// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A recorded run (hpcc run --profile=FILE), and what it would send on other processes.

#include <map>
#include <string>
#include <vector>

#include "bill/price.hpp"

namespace hpspmd::bill {

/// What has been recorded of a line of the program: of all processes together, and of the one with
/// most.
struct Line {
    std::string file, what;
    int line = 0;
    double executions = 0;
    double messages = 0, bytes = 0, mostMessages = 0, mostBytes = 0;
    double seconds = 0, work = 0;  ///< means; work: not waiting
    Json plans;

    std::string where() const { return file + ":" + std::to_string(line); }
    bool isNest() const { return what == "nest"; }
};

struct Run {
    std::string program;
    int processes = 0;
    double outsideMessages = 0, outsideBytes = 0;  ///< of no line
    std::vector<Line> lines;                       ///< by file and line

    /// runtime_error if it is none, or has not come to its end.
    static Run read(const std::string& file);
};

/// A line on some number of processes.
struct Priced {
    Price price;         ///< of all executions
    std::string reason;  ///< why there is none; "" if there is one
};

/// Prices of one run; equal plans are priced once.
class Prices {
public:
    Prices(const Run& run, int processes, Scale scale, const Adlib::Machine& machine);

    /// Of run.lines.
    const std::vector<Priced>& lines() const { return lines_; }
    int processes() const { return processes_; }

private:
    /// Plans with their executions, of groups that differ by their fixed coordinates only: a
    /// process takes part in one of them.
    using Alike = std::vector<std::pair<Json, double>>;

    Priced priced(const Line& line);
    Price inRun(const Alike& alike);
    Price elsewhere(const Alike& alike);
    const Price& one(const Json& plan);

    const Run& run_;
    int processes_;
    Scale scale_;
    const Adlib::Machine& machine_;
    const Elsewhere elsewhere_{scale_};
    std::map<std::string, Price> known_;
    std::vector<Priced> lines_;
};

}  // namespace hpspmd::bill
