// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/project.hpp"

#include <fstream>
#include <iostream>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "driver/process.hpp"
#include "driver/toolchain.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// The rest of the line of `text` that begins so; "" if there is none.
std::string lineBehind(const std::string& text, const std::string& begin) {
    const size_t at = text.starts_with(begin) ? 0 : text.find('\n' + begin);
    if (at == std::string::npos) return "";
    const size_t from = at + begin.size() + (at == 0 ? 0 : 1);
    return text.substr(from, text.find('\n', from) - from);
}

std::string textOf(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void requireTool(const char* tool) {
    if (!isOnPath(tool))
        throw Failure(ExitCode::ToolchainMissing,
                      fmt::format("'{}' is missing, which builds this project", tool));
}

/// A step of the build. The standard output stays the program's.
void perform(const Command& step, bool isQuiet) {
    Command command{"sh", "-c", R"(exec "$@" >&2)", "sh"};
    command.insert(command.end(), step.begin(), step.end());
    std::string text;
    if (!isQuiet) std::cerr << shellLine(step) << std::endl;
    const int code = isQuiet ? run(command, text) : run(command);
    if (code == 0) return;
    std::cerr << text << std::flush;
    throw Failure(ExitCode::SourceError, fmt::format("the project is not built: '{}' ended with {}",
                                                     shellLine(step), code));
}

[[noreturn]] void noProgram(const fs::path& program) {
    throw Failure(ExitCode::Usage,
                  fmt::format("the build makes no program '{}'; name the one to be run, as in hpcc "
                              "run {}/NAME",
                              program.string(), program.parent_path().string()));
}

std::string required(const fs::path& program) {
    if (!isFile(program) || ::access(program.c_str(), X_OK) != 0) noProgram(program);
    return program.string();
}

std::string byCMake(const fs::path& folder, bool isQuiet) {
    requireTool("cmake");
    const fs::path build = folder / "build", cache = build / "CMakeCache.txt";
    // A cache is there, too, where CMake has stopped at something that was missing.
    if (!isFile(cache) || !(isFile(build / "build.ninja") || isFile(build / "Makefile"))) {
        // Where this hpcc is installed; a folder set by the user is looked through first.
        const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
        perform({"cmake", "-S", folder.string(), "-B", build.string(),
                 "-Dhpcpp_ROOT=" + prefix.string()},
                isQuiet);
    }
    perform({"cmake", "--build", build.string()}, isQuiet);
    return required(build / lineBehind(textOf(cache), "CMAKE_PROJECT_NAME:STATIC="));
}

std::string byMake(const fs::path& folder, bool isQuiet) {
    requireTool("make");
    const std::string own = "HPCC=" + fs::read_symlink("/proc/self/exe").string();
    perform({"make", "-C", folder.string(), own}, isQuiet);
    // The goals are printed, nothing is made; the exit code says whether something would be.
    const std::string goals =
        outputOf({"sh", "-c", R"(make -C "$1" -pnq "$2" 2>&1; true)", "sh", folder.string(), own});
    return required(folder / lineBehind(goals, ".DEFAULT_GOAL := "));
}

}  // namespace

bool isProject(const fs::path& folder) {
    return isFile(folder / "CMakeLists.txt") || isFile(folder / "Makefile");
}

std::string buildProject(const fs::path& folder, bool isQuiet) {
    return isFile(folder / "CMakeLists.txt") ? byCMake(folder, isQuiet) : byMake(folder, isQuiet);
}

}  // namespace hpcc::driver
