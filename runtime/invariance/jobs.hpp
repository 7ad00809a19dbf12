// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <vector>

#include "invariance/options.hpp"

namespace hpspmd::invariance {

/// How one run of the program differs from the others.
struct Setting {
    int processes = 1, threads = 0;
    bool isCyclic = false;

    std::string text() const;  ///< "4 processes, 2 threads each"
};

/// A folder that is removed at the end.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

/// Runs the command, its standard output into a file unless that is "": the exit status, 128 + n if
/// signal n ended it.
int runCommand(const std::vector<std::string>& words,
               const std::map<std::string, std::string>& variables, const std::string& output);

/// One run of the program: its exit code. Its witness is then in files <witness>.<rank>.
int runProgram(const Options& options, const Setting& setting, const std::string& witness,
               const std::string& witnessAt, const std::string& output);

}  // namespace hpspmd::invariance
