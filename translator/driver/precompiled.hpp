// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>

#include "driver/process.hpp"
#include "driver/toolchain.hpp"

namespace hpcc::driver {

/// True if the user names a folder (HPCC_PRECOMPILED) in which hpcc keeps <hpspmd> precompiled,
/// with which g++ compiles a short program in a quarter of the time.
bool keepsPrecompiled();

/// True if the file includes <hpspmd>, and before it only headers of the standard library: then it
/// means the same with <hpspmd> in front of its first line.
bool beginsWithHeaders(const std::filesystem::path& source);

/// The file of which precompiled headers are made.
std::filesystem::path sourceOfPrecompiled(const Toolchain& toolchain);

/// The command to compile a file, with <hpspmd> precompiled. `forHeader` compiles
/// sourceOfPrecompiled() with the same options, without an output. What is precompiled is kept for
/// each such command, and made when hpcc meets the command for the second time; it is made anew
/// when a header in it or g++ has changed. The command as it is as long as there is none: at first,
/// while another hpcc makes it, with another compiler than g++, and without a folder to write to.
Command withPrecompiled(Command command, const Command& forHeader, const Toolchain& toolchain);

}  // namespace hpcc::driver
