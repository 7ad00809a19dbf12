// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/toolchain.hpp"

#include <cstdlib>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/config.hpp"
#include "driver/failure.hpp"
#include "driver/files.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

std::string fromEnvironment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

bool contains(const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
}

std::string wrapperFamily(const std::string& mpicxx) {
    const TemporaryFolder folder;
    const fs::path probe = folder.path() / "probe.cpp";
    writeFile(probe, "#include <mpi.h>\n");
    const std::string macros = outputOf({mpicxx, "-dM", "-E", probe.string()});
    if (contains(macros, "#define OPEN_MPI ")) return "openmpi";
    return contains(macros, "#define MPICH_VERSION ") ? "mpich" : "unknown";
}

std::string launcherFamily(const std::string& mpiexec) {
    const std::string text = outputOf({mpiexec, "--version"});
    if (contains(text, "Open MPI") || contains(text, "OpenRTE") || contains(text, "prte"))
        return "openmpi";
    return contains(text, "HYDRA") || contains(text, "MPICH") ? "mpich" : "unknown";
}

/// The pinned pair was compared by CMake; one from the environment is compared here.
void requireOnePair(const Toolchain& toolchain) {
    if (toolchain.mpicxx == config::mpicxx && toolchain.mpiexec == config::mpiexec) return;
    requireProgram(toolchain.mpicxx, "MPI compiler wrapper");
    requireProgram(toolchain.mpiexec, "MPI launcher");
    const std::string wrapper = wrapperFamily(toolchain.mpicxx),
                      launcher = launcherFamily(toolchain.mpiexec);
    if (wrapper == launcher) return;
    throw Failure(ExitCode::ToolchainMissing,
                  fmt::format("'{}' ({}) and '{}' ({}) belong to different MPIs", toolchain.mpicxx,
                              wrapper, toolchain.mpiexec, launcher));
}

bool isExecutable(const fs::path& path) {
    return isRegularFile(path) && ::access(path.c_str(), X_OK) == 0;
}

void append(Command& command, const Command& words) {
    command.insert(command.end(), words.begin(), words.end());
}

const char* goalFlag(Goal goal) {
    switch (goal) {
    case Goal::Assembly:
        return "-S";
    case Goal::Preprocessed:
        return "-E";
    case Goal::SyntaxOnly:
        return "-fsyntax-only";
    default:
        return "-c";
    }
}

}  // namespace

Toolchain findToolchain() {
    Toolchain toolchain{fromEnvironment("HPCC_MPICXX", config::mpicxx),
                        fromEnvironment("HPCC_MPIEXEC", config::mpiexec), config::includeFolder,
                        config::startupFolder, config::libraryFolder};
    std::error_code ignored;
    const fs::path own = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    const fs::path installed = (own / config::installedInclude).lexically_normal();
    if (fs::exists(installed / "umbrella", ignored)) {
        toolchain.include = installed;
        toolchain.startup = installed / "startup";
        toolchain.libraries = (own / config::installedLibraries).lexically_normal();
    }
    requireOnePair(toolchain);
    return toolchain;
}

bool builtWithMpi() { return std::string_view(config::mpiFamily) != "none"; }

bool isOnPath(const std::string& program) {
    if (program.find('/') != std::string::npos) return isExecutable(program);
    std::string folders = fromEnvironment("PATH", "/usr/bin:/bin") + ":";
    for (size_t begin = 0, end; (end = folders.find(':', begin)) != std::string::npos;
         begin = end + 1) {
        if (isExecutable(fs::path(folders.substr(begin, end - begin)) / program)) return true;
    }
    return false;
}

void requireProgram(const std::string& program, const char* role) {
    if (isOnPath(program)) return;
    throw Failure(
        ExitCode::ToolchainMissing,
        fmt::format(
            "the {} '{}' is missing; install the MPI that hpcc was built with, or build hpcc "
            "again",
            role, program));
}

std::string compilerVersion(const Toolchain& toolchain) {
    const std::string text = outputOf({toolchain.mpicxx, "--version"});
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        if (!line.empty() && !contains(line, "mpicxx for")) return line;
        begin = end + 1;
    }
    return "none";
}

std::vector<fs::path> librariesOf(const Options& options) {
    std::vector<fs::path> folders, files;
    for (const LinkItem& item : options.items)
        if (item.text.starts_with("-L")) folders.emplace_back(item.text.substr(2));
    for (const LinkItem& item : options.items)
        for (const char* ending : {".a", ".so"})
            for (const fs::path& folder : folders)
                if (item.text.starts_with("-l"))
                    files.push_back(folder / ("lib" + item.text.substr(2) + ending));
    return files;
}

Command compileCommand(const Toolchain& toolchain, const Options& options,
                       const Compilation& compilation) {
    Command command{toolchain.mpicxx, "-O" + options.backEndLevel};
    if (!options.marchGiven) command.push_back("-march=native");
    if (!options.standardGiven) command.push_back("-std=gnu++17");  // older compilers: 14
    append(command, {"-include", (toolchain.startup / "cpu_required.h").string()});
    // Loops begin where a processor fetches code: else their speed would depend on what stands in
    // front of them. Square roots of several numbers at once set no errno.
    if (options.level >= 3)
        append(command,
               {"-fopenmp-simd", "-falign-loops=32", "-fno-math-errno", "-DHPSPMD_REDUCTIONS"});
    for (const fs::path& folder : compilation.quoteFolders)
        append(command, {"-iquote", folder.string()});
    for (const fs::path& folder : compilation.firstFolders)
        command.push_back("-I" + folder.string());
    append(command, options.compileFlags);
    append(command, {"-isystem", (toolchain.include / "umbrella").string(), "-isystem",
                     toolchain.include.string()});
    append(command, compilation.dependencyFlags);
    append(command, {goalFlag(options.goal), "-x", "c++", compilation.source.string()});
    if (!compilation.output.empty()) append(command, {"-o", compilation.output.string()});
    return command;
}

Command linkCommand(const Toolchain& toolchain, const Options& options,
                    const std::vector<LinkItem>& items, const fs::path& output) {
    Command command{toolchain.mpicxx};
    append(command, options.compileFlags);
    for (const LinkItem& item : items) command.push_back(item.text);
    const fs::path& folder = toolchain.libraries;
    command.push_back((folder / "hpcpp_cpu_check.o").string());
    const bool areShared = !isRegularFile(folder / "libhpspmd_adlib.a");
    for (const char* library : {"libhpspmd_adlib", "libhpspmd_runtime"})
        command.push_back((folder / library).string() + (areShared ? ".so" : ".a"));
    if (areShared) command.push_back("-Wl,-rpath," + folder.string());
    append(command, {"-o", output.string()});
    return command;
}

}  // namespace hpcc::driver
