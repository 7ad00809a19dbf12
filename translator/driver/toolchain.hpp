// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <string>

#include "driver/options.hpp"
#include "driver/process.hpp"

namespace hpcc::driver {

/// The programs and folders that a compilation needs, of the install tree if hpcc lies in one, else
/// of the build tree. The compiler wrapper and the launcher are one MPI's pair, pinned when hpcc
/// was built.
struct Toolchain {
    std::string mpicxx, mpiexec;
    std::filesystem::path include;    ///< of <hpspmd> and <adlib/..>
    std::filesystem::path startup;    ///< of cpu_required.h
    std::filesystem::path libraries;  ///< of the static libraries and cpu_check.o
};

/// Failure(ToolchainMissing) if the environment (HPCC_MPICXX, HPCC_MPIEXEC) names a mixed pair.
Toolchain findToolchain();

/// False of an hpcc whose programs are joined by shared memory only.
bool builtWithMpi();

/// Whether `program`, a path or a name in the folders of $PATH, can be executed.
bool isOnPath(const std::string& program);

/// Failure(ToolchainMissing) if `program` cannot be executed.
void requireProgram(const std::string& program, const char* role);

/// First line of the C++ compiler's --version, or "none".
std::string compilerVersion(const Toolchain& toolchain);

/// The files that -l may mean, in the folders of -L.
std::vector<std::filesystem::path> librariesOf(const Options& options);

/// Compiles `source` to `output`. `quoteFolders` are searched for "..." includes behind the
/// source's own folder, `firstFolders` before every -I of the user: the translated headers.
struct Compilation {
    std::filesystem::path source, output;
    std::vector<std::filesystem::path> quoteFolders, firstFolders;
    Command dependencyFlags;
};
Command compileCommand(const Toolchain& toolchain, const Options& options,
                       const Compilation& compilation);

/// Links `items`, in which every source has already been replaced by its object.
Command linkCommand(const Toolchain& toolchain, const Options& options,
                    const std::vector<LinkItem>& items, const std::filesystem::path& output);

}  // namespace hpcc::driver
