// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bill/run.hpp"

namespace hpspmd::bill {

/// What the lines of a program may send: messages and bytes of one process in one execution. A line
/// that a budget does not name may send nothing. A file is named by the end of its path: heat.hpcpp
/// means flow/heat.hpcpp, too.
class Budget {
public:
    /// {"heat.hpcpp:42": {"messages": 8, "bytes": 4096}}, or the profile of a run that is within
    /// the budget. runtime_error.
    static Budget read(const std::string& file);

    /// A line for each line of the run that sends more; "" if none does.
    std::string excess(const Run& run) const;

private:
    struct Allowed {
        double messages = 0, bytes = 0;
    };

    void add(const Run& run);
    Allowed allowedAt(const std::string& where) const;

    std::map<std::string, Allowed> lines_;
};

}  // namespace hpspmd::bill
