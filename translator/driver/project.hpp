// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <string>

namespace hpcc::driver {

/// True if the folder is a project, with a CMakeLists.txt or a Makefile, as `hpcc new` makes it.
bool isProject(const std::filesystem::path& folder);

/// Builds the project by CMake, in its folder build, or by make; the path of its program, that of
/// the project's name, or the first thing that make makes. What the build prints goes to the
/// standard error stream, if it fails or isQuiet is false. Failure(SourceError) if it fails,
/// Failure(ToolchainMissing) without cmake or make, Failure(Usage) if no such program is made.
std::string buildProject(const std::filesystem::path& folder, bool isQuiet);

}  // namespace hpcc::driver
