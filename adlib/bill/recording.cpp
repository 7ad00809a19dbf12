// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bill/recording.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <filesystem>
#include <stdexcept>

namespace hpspmd::bill {
namespace {

bool isSource(const std::string& file) { return file.ends_with(".hpcpp"); }

/// A name without a folder means the file in this folder, as everywhere in hpcc.
std::string inFolder(const std::string& program) {
    return program.find('/') == std::string::npos ? "./" + program : program;
}

std::string compiled(const std::string& source, const invariance::ScratchFolder& folder) {
    const std::string name = std::filesystem::path(source).stem().string();
    const std::string program = folder.file(name);
    if (invariance::runCommand({invariance::besideThis("hpcc"), source, "-o", program}, {}, "") !=
        0)
        throw std::runtime_error(fmt::format("'{}' cannot be compiled", source));
    return program;
}

}  // namespace

bool isProgram(const std::string& file) {
    return isSource(file) ||
           (std::filesystem::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0);
}

std::string profileOf(const Recording& recording, const invariance::ScratchFolder& folder) {
    const std::string program = isSource(recording.program) ? compiled(recording.program, folder)
                                                            : inFolder(recording.program);
    const std::string profile = folder.file("run.json");
    std::vector<std::string> words = {invariance::besideThis("hpcc"),      "run",  "--quiet", "-n",
                                      std::to_string(recording.processes), program};
    words.insert(words.end(), recording.arguments.begin(), recording.arguments.end());
    const int code =
        invariance::runCommand(words, {{"HPSPMD_PROFILE", profile}}, folder.file("output"));
    if (code != 0)
        throw std::runtime_error(fmt::format("'{}' ends with exit code {} on {} processes",
                                             recording.program, code, recording.processes));
    return profile;
}

}  // namespace hpspmd::bill
