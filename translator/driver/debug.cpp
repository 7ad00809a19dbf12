// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>
#include <unistd.h>

#include "driver/debugger.hpp"
#include "driver/failure.hpp"
#include "driver/own_name.hpp"
#include "driver/process.hpp"
#include "driver/standard_streams.hpp"
#include "driver/toolchain.hpp"
#include "driver/verbs.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

constexpr const char* help =
    R"(hpcc debug [options] prog [arguments]: a program under gdb, which then knows multiarrays (print a, hp a[i - 1, j]).

  -n N            on N processes (default 1): a window of tmux with a gdb for each; without a
                  terminal or tmux each runs under gdbserver, and says how gdb gets at it
  --one           one gdb for all processes
  --attach K      only process K is looked at; the others run
  --batch FILE    gdb carries out the commands in FILE in every process, and ends
  --core FILE     look at what a crash has left
  --help          this text

Compile the program with -g (which means -O0 if no level is given).
)";

struct DebugOptions {
    std::string processes = "1", attach = "all", batch, core;
    bool isOne = false;
    std::vector<std::string> command;
};

[[noreturn]] void usageFailure(const std::string& text) {
    throw Failure(ExitCode::Usage, text + "; see hpcc debug --help");
}

bool isNumber(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The options that take a value, and where it goes.
std::string* placeOf(DebugOptions& options, const std::string& word) {
    if (word == "-n" || word == "-np") return &options.processes;
    if (word == "--attach") return &options.attach;
    if (word == "--batch") return &options.batch;
    if (word == "--core") return &options.core;
    usageFailure(fmt::format("'{}' is no option of hpcc debug", word));
}

DebugOptions parse(const std::vector<std::string>& words) {
    DebugOptions options;
    size_t at = 0;
    for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
        options.isOne = options.isOne || words[at] == "--one";
        if (words[at] == "--one") continue;
        std::string* const place = placeOf(options, words[at]);
        if (at + 1 == words.size()) usageFailure(words[at] + " needs a value");
        *place = words[++at];
    }
    options.command.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (options.command.empty()) usageFailure("no program given");
    if (!isNumber(options.processes) || options.processes == "0")
        usageFailure(fmt::format("-n takes a number of processes, not '{}'", options.processes));
    if (options.attach != "all" && !isNumber(options.attach))
        usageFailure(
            fmt::format("--attach takes the number of a process, not '{}'", options.attach));
    if (options.attach != "all" && std::stod(options.attach) >= std::stod(options.processes))
        usageFailure(
            fmt::format("there is no process {} of {}", options.attach, options.processes));
    for (const std::string& file : {options.command[0], options.batch, options.core})
        if (!file.empty() && !fs::is_regular_file(file))
            usageFailure(fmt::format("no file '{}'", file));
    return options;
}

/// Each process under a gdb of its own, which carries out the same commands.
void becomeBatch(const DebuggedJob& job, const std::string& batch) {
    Command debugger = debuggerCommand();
    debugger.insert(debugger.end(), {"-batch", "-x", batch, "--args"});
    become(runCommand(job, debugger));
}

/// Where there is no room for a gdb of each process: how one gets at them from elsewhere.
[[noreturn]] void becomeServed(const DebuggedJob& job) {
    if (isOnPath("gdbserver")) become(jobCommand(job, "serve"));
    print(
        fmt::format("gdbserver is not installed (apt install gdbserver), so each process waits "
                    "for gdb.\nIn another terminal, for each: {} -p <its number>\n",
                    shellLine(debuggerCommand())));
    requireMessagesWritten();
    ::setenv("HPSPMD_DEBUG_WAIT", job.wanted.c_str(), 1);
    become(runCommand(job, {}));
}

ExitCode debugJob(const DebugOptions& options) {
    const DebuggedJob job{options.processes, options.attach, options.command};
    const Command batch =
        options.batch.empty() ? Command() : Command{"-batch", "-x", options.batch};
    const bool isTerminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
    const bool isSingle = options.isOne || options.attach != "all";
    if (isSingle && (isTerminal || !batch.empty()))
        return static_cast<ExitCode>(debugTogether(job, batch));
    if (!batch.empty()) becomeBatch(job, options.batch);
    if (isTerminal && isOnPath("tmux")) return static_cast<ExitCode>(debugInPanes(job));
    if (isTerminal)
        print(
            "tmux is not installed (apt install tmux), so there is no window with a pane for "
            "each process.\n");
    requireMessagesWritten();
    becomeServed(job);
}

}  // namespace

ExitCode debug(const std::vector<std::string>& words) {
    if (!words.empty() && words[0] == "--process") becomeDebugged({words.begin() + 1, words.end()});
    if (std::ranges::find(words, "--help") != words.end())
        return print(inOwnName(help)), ExitCode::Ok;
    DebugOptions options = parse(words);
    if (options.command[0].find('/') == std::string::npos) options.command[0].insert(0, "./");
    Command command = debuggerCommand();
    if (options.processes != "1" && options.core.empty()) return debugJob(options);
    if (!options.batch.empty()) command.insert(command.end(), {"-batch", "-x", options.batch});
    if (options.core.empty()) command.emplace_back("--args");
    command.insert(command.end(), options.command.begin(), options.command.end());
    if (!options.core.empty()) command.push_back(options.core);
    become(command);
}

}  // namespace hpcc::driver
