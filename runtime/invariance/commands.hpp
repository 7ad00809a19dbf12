// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Other programs that a verb runs.

#include <map>
#include <string>
#include <vector>

namespace hpspmd::invariance {

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

/// The path of the program of that name in the folder of this one.
std::string besideThis(const char* name);

/// Runs the command, its standard output into a file unless that is "": the exit status, 128 + n if
/// signal n ended it.
int runCommand(const std::vector<std::string>& words,
               const std::map<std::string, std::string>& variables, const std::string& output);

}  // namespace hpspmd::invariance
