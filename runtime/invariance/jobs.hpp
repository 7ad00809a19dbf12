// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "invariance/commands.hpp"
#include "invariance/options.hpp"

namespace hpspmd::invariance {

/// How one run of the program differs from the others.
struct Setting {
    int processes = 1, threads = 0;
    bool isCyclic = false;

    std::string text() const;  ///< "4 processes, 2 threads each"
};

/// One run of the program: its exit code. Its witness is then in files <witness>.<rank>.
int runProgram(const Options& options, const Setting& setting, const std::string& witness,
               const std::string& witnessAt, const std::string& output);

}  // namespace hpspmd::invariance
