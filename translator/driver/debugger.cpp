// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/debugger.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/ending.hpp"
#include "driver/failure.hpp"
#include "driver/toolchain.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// A job in the background, whose wanted processes wait for gdb.
class WaitingJob {
public:
    /// `redirection`, as in a shell, says where its output goes.
    WaitingJob(const DebuggedJob& job, const fs::path& folder, const std::string& redirection)
        : folder_(folder), job_(job), running_([&](pid_t& child, const sigset_t& mask) {
              const std::string line = shellLine(jobCommand(job, folder.string()));
              const Command shell{"sh", "-c",
                                  fmt::format("exec {} </dev/null{}", line, redirection)};
              const int error = start(child, shell, mask);
              process_ = child;
              return error;
          }) {
        if (running_.error() != 0)
            throw Failure(ExitCode::SourceError,
                          fmt::format("cannot start a job: {}", std::strerror(running_.error())));
    }

    /// The ids of the processes that wait; fewer if the job has ended before.
    std::vector<std::string> waiting() const {
        std::vector<std::string> ids;
        const bool isAll = job_.wanted == "all";
        const int first = isAll ? 0 : std::atoi(job_.wanted.c_str());
        const int end = isAll ? std::atoi(job_.processes.c_str()) : first + 1;
        for (int number = first; number < end; ++number) {
            const fs::path file = folder_ / std::to_string(number);
            while (!fs::exists(file)) {
                if (hasEnded()) return ids;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
            std::ifstream(file) >> ids.emplace_back();
        }
        return ids;
    }
    int exitStatus() { return running_.exitStatus(); }
    pid_t process() const { return process_; }

private:
    bool hasEnded() const {
        siginfo_t info = {};
        ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
        return info.si_pid == process_;
    }

    fs::path folder_;
    DebuggedJob job_;
    pid_t process_ = 0;
    RunningCommand running_;
};

/// A folder that goes with `unfinished`.
fs::path newFolder(Unfinished& unfinished) {
    const fs::path path = fs::temp_directory_path() / fmt::format("hpcc-debug-{}", ::getpid());
    if (unfinished.make(path, [&] { return ::mkdir(path.c_str(), 0700); }) != 0)
        throw Failure(ExitCode::SourceError, fmt::format("cannot make the folder '{}': {}",
                                                         path.string(), std::strerror(errno)));
    return path;
}

/// gdb for processes that wait: it lets them become the program, and stops there.
Command debuggerOf(const std::vector<std::string>& ids) {
    std::string list;
    for (const std::string& id : ids) list += (list.empty() ? "" : ", ") + id;
    Command command = debuggerCommand();
    command.insert(command.end(), {"-ex", fmt::format("python attach({})", list)});
    return command;
}

/// tmux, and the window with the panes. Without a tmux around hpcc it has a server of its own,
/// so that what runs in it has our environment.
struct Window {
    std::string name = fmt::format("hpcc-debug-{}", ::getpid());
    bool isInside = std::getenv("TMUX") != nullptr;

    void tmux(const Command& words) const {
        Command command{"tmux"};
        if (!isInside) command.insert(command.end(), {"-L", name});
        command.insert(command.end(), words.begin(), words.end());
        runInForeground(command);
    }
    void open(const Command& shown) const {
        if (isInside)
            tmux({"new-window", "-n", name, shellLine(shown)});
        else
            tmux({"new-session", "-d", "-x", "200", "-y", "60", "-s", name, "-n", name,
                  shellLine(shown)});
    }
    void add(const Command& shown) const {
        tmux({"split-window", "-t", ":" + name, shellLine(shown)});
        tmux({"select-layout", "-t", ":" + name, "tiled"});
    }
    /// Returns when all panes have ended, or the user has detached.
    void show() const {
        if (isInside) return;
        tmux({"attach-session", ";", "set-option", "destroy-unattached", "on"});
    }
};

}  // namespace

Command debuggerCommand() {
    requireProgram("gdb", "debugger");
    const fs::path own = fs::read_symlink("/proc/self/exe");
    const fs::path script = own.parent_path() / "../share/hpcpp/gdb/hpspmd.py";
    if (!fs::exists(script))
        throw Failure(
            ExitCode::ToolchainMissing,
            fmt::format("'{}' is not there; hpcc is not installed completely", script.string()));
    return {"gdb", "-q", "-x", script.lexically_normal().string()};
}

Command runCommand(const DebuggedJob& job, const Command& before) {
    Command command{fs::read_symlink("/proc/self/exe").string(), "run", "--quiet", "-n",
                    job.processes};
    command.insert(command.end(), before.begin(), before.end());
    command.insert(command.end(), job.program.begin(), job.program.end());
    return command;
}

Command jobCommand(const DebuggedJob& job, const std::string& how) {
    const std::string own = fs::read_symlink("/proc/self/exe").string();
    return runCommand(job, {"env", own, "debug", "--process", how, job.wanted});
}

int debugTogether(const DebuggedJob& job, const Command& arguments) {
    Unfinished folder;
    WaitingJob running(job, newFolder(folder), "");
    const std::vector<std::string> ids = running.waiting();
    if (ids.empty()) return running.exitStatus();
    Command command = debuggerOf(ids);
    command.insert(command.end(), arguments.begin(), arguments.end());
    runInForeground(command);
    return running.exitStatus();
}

int debugInPanes(const DebuggedJob& job) {
    Unfinished unfinished;
    const fs::path folder = newFolder(unfinished), output = folder / "output";
    WaitingJob running(job, folder, fmt::format(" >{} 2>&1", shellLine({output.string()})));
    const Window window;
    window.open(
        {"tail", "-n", "+1", "-F", fmt::format("--pid={}", running.process()), output.string()});
    for (const std::string& id : running.waiting()) window.add(debuggerOf({id}));
    int code = 0;  // waited for at once, as the first pane ends with the job
    std::jthread waiting([&] { code = running.exitStatus(); });
    window.show();
    waiting.join();
    std::cout << std::ifstream(output).rdbuf() << std::flush;
    return code;
}

}  // namespace hpcc::driver
