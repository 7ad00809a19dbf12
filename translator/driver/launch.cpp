#include "driver/launch.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/config.hpp"
#include "driver/failure.hpp"
#include "driver/toolchain.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

constexpr int mostProcesses = 1 << 20;

struct Launch {
    int processes = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::string> command;  ///< program and its arguments
};

[[noreturn]] void usageFailure(const std::string& text) {
    throw Failure(ExitCode::Usage, text + "; usage: hpcc run [-n N] prog [arguments]");
}

int processCount(const std::string& text) {
    int count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (!whole || count < 1 || count > mostProcesses) {
        usageFailure(fmt::format("-n takes a number from 1 to {}, not '{}'", mostProcesses, text));
    }
    return count;
}

Launch parse(const std::vector<std::string>& words) {
    Launch launch;
    size_t at = 0;
    for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
        const bool isCount = words[at] == "-n" || words[at] == "-np";
        if (isCount && at + 1 < words.size())
            launch.processes = processCount(words[++at]);
        else if (isCount)
            usageFailure("-n needs a number");
        else
            usageFailure(fmt::format("'{}' is no option of hpcc run", words[at]));
    }
    launch.command.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (launch.command.empty()) usageFailure("no program given");
    return launch;
}

/// A name without a folder means the one in the current folder, if it is there, as everywhere in
/// hpcc.
std::string locate(const std::string& program) {
    const fs::path path =
        program.find('/') == std::string::npos ? fs::path(".") / program : fs::path(program);
    if (fs::is_directory(path)) usageFailure(fmt::format("'{}' is a directory", program));
    if (fs::exists(path) && ::access(path.c_str(), X_OK) != 0) {
        usageFailure(fmt::format("'{}' is not an executable program", program));
    }
    if (!fs::exists(path)) {
        if (program.find('/') != std::string::npos || !isOnPath(program))
            usageFailure(fmt::format("no program '{}'", program));
        return program;
    }
    return path.string();
}

/// The bytes of a program; none of a script. Its dynamic section names the libraries that it needs.
std::string bytesOf(const std::string& program) {
    std::ifstream stream(program, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    return bytes.compare(0, 4, "\177ELF") == 0 ? bytes : "";
}

/// A program linked with another MPI would run as N separate jobs of one process.
void requireOwnMpi(const std::string& program, const std::string& bytes) {
    const bool ownIsMpich = std::string_view(config::mpiFamily) == "mpich";
    const char* foreign = ownIsMpich ? "libmpi.so.40" : "libmpich.so";
    if (std::getenv("HPCC_MPIEXEC") || bytes.find(foreign) == std::string::npos) return;
    throw Failure(
        ExitCode::ToolchainMissing,
        fmt::format(
            "'{}' is linked with {}, but hpcc's launcher '{}' is {}'s; compile it again with "
            "hpcc",
            program, foreign, config::mpiexec, config::mpiFamily));
}

bool usesOpenMp(const std::string& bytes) {
    return bytes.find("libgomp.so") != std::string::npos ||
           bytes.find("libomp.so") != std::string::npos;
}

bool launcherIsOpenMpi(const Toolchain& toolchain) {
    if (toolchain.mpiexec == config::mpiexec)
        return std::string_view(config::mpiFamily) == "openmpi";
    return outputOf({toolchain.mpiexec, "--version"}).find("Open MPI") != std::string::npos;
}

}  // namespace

void launch(const std::vector<std::string>& words) {
    Launch launch = parse(words);
    const Toolchain toolchain = findToolchain();
    requireProgram(toolchain.mpiexec, "MPI launcher");
    launch.command[0] = locate(launch.command[0]);
    const std::string bytes = bytesOf(launch.command[0]);
    requireOwnMpi(launch.command[0], bytes);
    Command command{toolchain.mpiexec};
    if (launcherIsOpenMpi(
            toolchain)) {  // MPICH needs no permission for more processes than cores, nor for root
        command.push_back("--oversubscribe");
        if (::geteuid() == 0) command.push_back("--allow-run-as-root");
        if (usesOpenMp(bytes)) {  // all threads of a process would share one core
            command.push_back("--bind-to");
            command.push_back("none");
        }
    }
    command.insert(command.end(), {"-n", std::to_string(launch.processes)});
    command.insert(command.end(), launch.command.begin(), launch.command.end());
    std::cerr << shellLine(command) << std::endl;
    become(command);
}

}  // namespace hpcc::driver
