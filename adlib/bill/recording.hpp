// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "invariance/commands.hpp"

namespace hpspmd::bill {

/// A run that is made for the bill.
struct Recording {
    std::string program;  ///< heat.hpcpp, or what hpcc has made of it
    int processes = 4;
    std::vector<std::string> arguments;
};

/// True if the file is the source of a program, or a program.
bool isProgram(const std::string& file);

/// Compiles the program if it is a source, and runs it: the path of its profile in the folder.
/// runtime_error if it cannot be compiled, or does not come to its end with code 0.
std::string profileOf(const Recording& recording, const invariance::ScratchFolder& folder);

}  // namespace hpspmd::bill
