// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/failure.hpp"

namespace hpcc::driver {

/// What the first word of a command line asks for: `hpcc run ..`. A file of that name is ./run.
struct Verb {
    const char* name;
    const char* usage;  ///< "run [-n N] prog [arguments]"
    const char* help;   ///< one line
    ExitCode (*perform)(const std::vector<std::string>& words);
};

const std::vector<Verb>& verbs();
/// Null if it is none.
const Verb* verbCalled(const std::string& word);

/// Failure(Usage) for a word that is no file, but nearly a verb.
void requireKnownVerb(const std::string& word);

/// The path of a program that is installed beside hpcc. Failure if it is not there.
std::string toolBeside(const char* name);

ExitCode debug(const std::vector<std::string>& words);
ExitCode newProject(const std::vector<std::string>& words);
ExitCode doctor(const std::vector<std::string>& words);
ExitCode manual(const std::vector<std::string>& words);
ExitCode completion(const std::vector<std::string>& words);

}  // namespace hpcc::driver
