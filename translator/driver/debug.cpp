// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>

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

  -n N            on N processes (default 1). Each waits until a debugger attaches, and says how
  --attach K      only process K waits; the others run
  --batch FILE    gdb carries out the commands in FILE in every process, and ends
  --core FILE     look at what a crash has left
  --help          this text

Compile the program with -g (which means -O0 if no level is given).
)";

struct DebugOptions {
    std::string processes = "1", attach = "all", batch, core;
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
    for (const std::string& file : {options.command[0], options.batch, options.core})
        if (!file.empty() && !fs::is_regular_file(file))
            usageFailure(fmt::format("no file '{}'", file));
    return options;
}

/// gdb with what it has to know about multiarrays.
Command debuggerCommand(const fs::path& own) {
    requireProgram("gdb", "debugger");
    const fs::path script = own.parent_path() / "../share/hpcpp/gdb/hpspmd.py";
    if (!fs::exists(script))
        throw Failure(
            ExitCode::ToolchainMissing,
            fmt::format("'{}' is not there; hpcc is not installed completely", script.string()));
    return {"gdb", "-q", "-x", script.lexically_normal().string()};
}

}  // namespace

ExitCode debug(const std::vector<std::string>& words) {
    if (std::ranges::find(words, "--help") != words.end())
        return print(inOwnName(help)), ExitCode::Ok;
    DebugOptions options = parse(words);
    if (options.command[0].find('/') == std::string::npos) options.command[0].insert(0, "./");
    const fs::path own = fs::read_symlink("/proc/self/exe");
    Command command = debuggerCommand(own);
    const auto append = [&](const std::vector<std::string>& more) {
        command.insert(command.end(), more.begin(), more.end());
    };
    if (!options.core.empty()) {
        if (!options.batch.empty()) append({"-batch", "-x", options.batch});
        append({options.command[0], options.core});
        become(command);
    }
    const Command job{own.string(), "run", "--quiet", "-n", options.processes};
    if (!options.batch.empty()) {
        append({"-batch", "-x", options.batch, "--args"});
        command.insert(command.begin(), job.begin(), job.end());
    } else if (options.processes == "1") {
        append({"--args"});
    } else {
        print(fmt::format("In another terminal, for each process that waits: {} -p <its number>\n",
                          shellLine(command)));
        requireMessagesWritten();
        ::setenv("HPSPMD_DEBUG_WAIT", options.attach.c_str(), 1);
        command = job;
    }
    append(options.command);
    become(command);
}

}  // namespace hpcc::driver
