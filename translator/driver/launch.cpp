// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/launch.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "driver/batch_script.hpp"
#include "driver/config.hpp"
#include "driver/failure.hpp"
#include "driver/node_job.hpp"
#include "driver/project.hpp"
#include "driver/record_files.hpp"
#include "driver/run_options.hpp"
#include "driver/shared_memory.hpp"
#include "driver/slurm.hpp"
#include "driver/standard_streams.hpp"
#include "driver/supervision.hpp"
#include "driver/toolchain.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// A name without a folder means the one in the current folder, if it is there, as everywhere in
/// hpcc.
std::string locate(const std::string& program) {
    const fs::path path =
        program.find('/') == std::string::npos ? fs::path(".") / program : fs::path(program);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
        if (program.find('/') != std::string::npos || !isOnPath(program))
            runUsageFailure(fmt::format("no program '{}'", program));
        return program;
    }
    if (error) runUsageFailure(fmt::format("cannot run '{}': {}", program, error.message()));
    if (fs::is_directory(status))
        runUsageFailure(
            fmt::format("'{}' is a directory, and no project: it has no CMakeLists.txt or "
                        "Makefile",
                        program));
    if (!fs::is_regular_file(status) || ::access(path.c_str(), X_OK) != 0)
        runUsageFailure(fmt::format("'{}' is not an executable program", program));
    return path.string();
}

/// The bytes of a program; none of a script. Its dynamic section names the libraries that it needs.
std::string bytesOf(const std::string& program) {
    std::ifstream stream(program, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    return bytes.compare(0, 4, "\177ELF") == 0 ? bytes : "";
}

/// Of hpcc run --tool. What the dynamic linker cannot preload it leaves out with a word only.
std::string locateTool(const std::string& library) {
    if (bytesOf(library).empty()) runUsageFailure(fmt::format("no library '{}'", library));
    return fs::absolute(library).string();
}

/// The program and its arguments, as the launcher is to start them.
Command programWords(const RunOptions& run) {
    if (run.tool.empty()) return run.command;
    const char* const others = std::getenv("LD_PRELOAD");
    const std::string preload = others && *others ? run.tool + ':' + others : run.tool;
    Command words{"env", "LD_PRELOAD=" + preload};
    words.insert(words.end(), run.command.begin(), run.command.end());
    return words;
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

/// The launcher's words before the program.
Command launcherCommand(const std::string& mpiexec, bool isOpenMpi, const RunOptions& run,
                        const std::string& bytes) {
    Command command{mpiexec};
    if (isOpenMpi) {  // MPICH needs no permission for more processes than cores, nor for root
        command.push_back("--oversubscribe");
        if (::geteuid() == 0) command.push_back("--allow-run-as-root");
        if (usesOpenMp(bytes)) {  // all threads of a process would share one core
            command.push_back("--bind-to");
            command.push_back("none");
        }
    }
    if (run.isLabelled) command.push_back(isOpenMpi ? "--tag-output" : "-prepend-rank");
    if (!run.hosts.empty())
        command.insert(command.end(), {isOpenMpi ? "--host" : "-hosts", run.hosts});
    if (isOpenMpi)
        for (const auto& [name, value] : run.variables) command.insert(command.end(), {"-x", name});
    command.insert(command.end(), {"-n", std::to_string(run.processes)});
    return command;
}

/// How the job is shown, and what runs it: a call that returns its exit code, if it returns.
struct Launch {
    std::string line;
    std::function<int()> start;
};

Launch bySrun(const RunOptions& run) {
    requireProgram("srun", "launcher of Slurm");
    requireOwnMpi(run.command[0], bytesOf(run.command[0]));
    Command command = srunCommand(run, std::string_view(config::mpiFamily) == "openmpi");
    const Command program = programWords(run);
    command.insert(command.end(), program.begin(), program.end());
    return {shellLine(command) + '\n', [command]() -> int {
                ::prctl(PR_SET_PDEATHSIG, SIGTERM);
                become(command);
            }};
}

Launch byMpi(const RunOptions& run) {
    if (usesSrun(run)) return bySrun(run);
    const Toolchain toolchain = findToolchain();
    requireProgram(toolchain.mpiexec, "MPI launcher");
    const std::string bytes = bytesOf(run.command[0]);
    requireOwnMpi(run.command[0], bytes);
    const bool isOpenMpi = launcherIsOpenMpi(toolchain);
    Command command = launcherCommand(toolchain.mpiexec, isOpenMpi, run, bytes);
    const Command program = programWords(run);
    command.insert(command.end(), program.begin(), program.end());
    // If hpcc run is killed: MPICH's launcher waits for processes that ignore SIGTERM, and takes
    // them with it if it is killed; Open MPI's tidies up on SIGTERM.
    const int signal = isOpenMpi ? SIGTERM : SIGKILL;
    return {shellLine(command) + '\n' + sharedMemoryNote(run.processes),
            [command, signal]() -> int {
                ::prctl(PR_SET_PDEATHSIG, signal);
                become(command);
            }};
}

Launch onNode(const RunOptions& run) {
    return {fmt::format("{} process{} joined by shared memory: {}\n", run.processes,
                        run.processes == 1 ? "" : "es", shellLine(run.command)),
            [run] { return runOnNode(run.command, run.processes); }};
}

/// The program, built if it is that of a project.
void locateCommand(RunOptions& run) {
    const bool isHere = run.command.empty();
    if (isHere && !isProject(".")) runUsageFailure("no program given");
    if (isHere) run.command.emplace_back(".");
    std::string& program = run.command[0];
    std::error_code ignored;
    if (fs::is_directory(program, ignored) && isProject(program))
        program = buildProject(program, run.isQuiet);
    program = locate(program);
}

/// True if the program names Adlib::Checkpoint. False for one that was stripped.
bool usesCheckpoints(const std::string& program) {
    return bytesOf(program).find("hpspmd5Adlib10Checkpoint") != std::string::npos;
}

}  // namespace

void launch(const std::vector<std::string>& words) {
    std::optional<RunOptions> run = parseRunOptions(words);
    if (!run) {
        requireMessagesWritten();
        std::exit(0);
    }
    locateCommand(*run);
    if (!run->tool.empty()) run->tool = locateTool(run->tool);
    if (run->isForSbatch) {
        const bool checkpoints = run->writesCheckpoints() || usesCheckpoints(run->command[0]);
        print(batchScript(*run, checkpoints));
        requireMessagesWritten();
        std::exit(0);
    }
    // The program itself writes to a pipe of the launcher's.
    if (!std::getenv("HPSPMD_PROGRESS") && ::isatty(STDERR_FILENO) != 0)
        ::setenv("HPSPMD_PROGRESS", "terminal", 1);
    std::optional<RecordFiles> records;
    if (run->isProfiled || !run->trace.empty()) records.emplace(*run);
    const Launch launch = run->transport == "node" ? onNode(*run) : byMpi(*run);
    for (const auto& [name, value] : run->variables) {
        ::setenv(name.c_str(), value.c_str(), 1);
        if (run->isVerbose) std::cerr << name << '=' << value << ' ';
    }
    if (!run->isQuiet) std::cerr << launch.line << std::flush;
    requireMessagesWritten();
    const int code = supervise(launch.start, *run);
    if (records) records->show();
    records.reset();
    std::_Exit(code);
}

}  // namespace hpcc::driver
