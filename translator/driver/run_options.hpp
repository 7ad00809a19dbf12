// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hpcc::driver {

/// What `hpcc run` is asked for.
struct RunOptions {
    int processes = 1;
    bool isCountGiven = false;                                   ///< -n
    std::string transport;                                       ///< "mpi" or "node"
    std::string launcher;                                        ///< "mpiexec", "srun" or ""
    std::string hosts;                                           ///< "" for this machine
    std::vector<std::pair<std::string, std::string>> variables;  ///< set for the program
    bool isLabelled = false, isQuiet = false, isVerbose = false;
    double timeout = 0;  ///< seconds; 0: none
    int restarts = 0;
    bool isProfiled = false;
    std::string profile, trace;  ///< the files of what the run records; profile: "" for none
    std::string tool;            ///< a library to preload; "" for none
    bool isForSbatch = false;    ///< print a job script instead
    std::vector<std::pair<std::string, std::string>> given;  ///< the options as they were given
    /// Program and its arguments; empty for that of the project in the current folder.
    std::vector<std::string> command;

    /// True if the program may be asked for a last checkpoint.
    bool writesCheckpoints() const;
};

/// One line of hpcc run --help.
struct RunOptionText {
    std::string name, value, text;  ///< value: "" if it takes none
};
std::vector<RunOptionText> runOptionTexts();
/// How a job ends.
extern const char* const runEndings;

/// Nothing after --help, which prints what there is. Failure(Usage).
std::optional<RunOptions> parseRunOptions(const std::vector<std::string>& words);

/// Failure(Usage) that says how `hpcc run` is used.
[[noreturn]] void runUsageFailure(const std::string& text);

}  // namespace hpcc::driver
