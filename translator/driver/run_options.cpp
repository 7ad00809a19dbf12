// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <thread>

#include <fmt/core.h>

#include "driver/failure.hpp"
#include "driver/own_name.hpp"
#include "driver/slurm.hpp"
#include "driver/standard_streams.hpp"
#include "driver/toolchain.hpp"

namespace hpcc::driver {
namespace {

constexpr int mostProcesses = 1 << 20;

template <class Number>
bool isWholly(const std::string& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

int processCount(const std::string& text) {
    int count = 0;
    if (!isWholly(text, count) || count < 1 || count > mostProcesses)
        runUsageFailure(
            fmt::format("-n takes a number from 1 to {}, not '{}'", mostProcesses, text));
    return count;
}

int positive(const std::string& option, const std::string& text) {
    int count = 0;
    if (!isWholly(text, count) || count < 1)
        runUsageFailure(fmt::format("{} takes a positive number, not '{}'", option, text));
    return count;
}

double seconds(const std::string& text) {
    double number = 0;
    std::string digits = text;
    const std::string units = "smh";
    double unit = 1;
    if (!digits.empty() && units.find(digits.back()) != std::string::npos) {
        unit = digits.back() == 'h' ? 3600 : digits.back() == 'm' ? 60 : 1;
        digits.pop_back();
    }
    if (!isWholly(digits, number) || !(number > 0) || number > 1e8)
        runUsageFailure(
            fmt::format("--timeout takes a time, as 90, 90s, 10m or 2h, not '{}'", text));
    return number * unit;
}

struct Option {
    const char* name;
    const char* value;  ///< null if it has none
    const char* text;
    std::function<void(RunOptions&, const std::string&)> apply;
    bool mayHaveValue = false;  ///< behind `=`
};

int defaultProcesses() {
    const int tasks = allocatedTasks();
    return tasks > 0 ? tasks : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string defaultTransport() {
    const char* const value = std::getenv("HPSPMD_TRANSPORT");
    if (value != nullptr && *value != 0) return value;
    return builtWithMpi() ? "mpi" : "node";
}

void checkTransport(const RunOptions& run) {
    if (run.transport != "mpi" && run.transport != "node")
        runUsageFailure(fmt::format("'{}' is no transport: mpi and node are", run.transport));
    if (run.transport == "mpi" && !builtWithMpi())
        throw Failure(ExitCode::ToolchainMissing, "this hpcc was built without MPI");
    const char* const byMpiOnly = run.isLabelled       ? "--label"
                                  : !run.hosts.empty() ? "--host"
                                  : !run.tool.empty()  ? "--tool"
                                                       : nullptr;
    if (run.transport == "node" && byMpiOnly)
        runUsageFailure(fmt::format("{} needs --transport=mpi", byMpiOnly));
}

void checkTrace(const RunOptions& run) {
    if (!run.trace.empty()) return;
    for (const auto& [name, value] : run.variables)
        if (name == "HPSPMD_TRACE_FROM" || name == "HPSPMD_TRACE_MESSAGES")
            runUsageFailure("--trace-from and --trace-messages need --trace");
}

std::function<void(RunOptions&, const std::string&)> variable(const char* name) {
    return [name](RunOptions& run, const std::string& value) {
        run.variables.emplace_back(name, value.empty() ? "1" : value);
    };
}

const std::vector<Option>& options() {
    static const std::vector<Option> rows = {
        {"-n", "N",
         "on so many processes (one per core; inside of an allocation of Slurm: SLURM_NTASKS); "
         "also -np",
         [](RunOptions& run, const std::string& value) {
             run.processes = processCount(value);
             run.isCountGiven = true;
         }},
        {"--transport", "HOW",
         "mpi, or node: joined by shared memory of this machine (HPSPMD_TRANSPORT)",
         [](RunOptions& run, const std::string& value) { run.transport = value; }},
        {"--launcher", "HOW", "mpiexec, or srun, which is taken inside of an allocation of Slurm",
         [](RunOptions& run, const std::string& value) {
             if (value != "mpiexec" && value != "srun")
                 runUsageFailure(fmt::format("'{}' is no launcher: mpiexec and srun are", value));
             run.launcher = value;
         }},
        {"--threads", "T", "threads in each process (OMP_NUM_THREADS)",
         [](RunOptions& run, const std::string& value) {
             run.variables.emplace_back("OMP_NUM_THREADS",
                                        std::to_string(positive("--threads", value)));
         }},
        {"--target", "T",
         "where nests run: sequential, threads, gpu, ..; with ! without fallback (HPSPMD_TARGET)",
         [](RunOptions& run, const std::string& value) {
             run.variables.emplace_back("HPSPMD_TARGET", value);
         }},
        {"--host", "A,B", "on these machines",
         [](RunOptions& run, const std::string& value) { run.hosts = value; }},
        {"--label", nullptr, "the number of the process before each line that it prints",
         [](RunOptions& run, const std::string&) { run.isLabelled = true; }},
        {"--log", nullptr, "say how processes exchange messages and wait (HPSPMD_LOG)",
         variable("HPSPMD_LOG")},
        {"--profile", nullptr,
         "show where the time has gone, by line and by collective; --profile=FILE also keeps that, "
         "as JSON (HPSPMD_PROFILE)",
         [](RunOptions& run, const std::string& value) {
             run.isProfiled = true;
             run.profile = value;
         },
         true},
        {"--trace", "FILE", "when what has run, for ui.perfetto.dev (HPSPMD_TRACE)",
         [](RunOptions& run, const std::string& value) { run.trace = value; }},
        {"--trace-messages", nullptr, "messages as arrows in the trace (HPSPMD_TRACE_MESSAGES)",
         variable("HPSPMD_TRACE_MESSAGES")},
        {"--trace-from", "WHEN",
         "10s, 2m, or heat.hpcpp:42:100, the 100th execution of a line: when the trace starts "
         "(HPSPMD_TRACE_FROM)",
         variable("HPSPMD_TRACE_FROM")},
        {"--tool", "LIBRARY",
         "preload a tool that stands between the program and MPI (PMPI); all messages go by MPI",
         [](RunOptions& run, const std::string& value) {
             run.tool = value;
             run.variables.emplace_back("HPSPMD_NODE_MEMORY", "off");
         }},
        {"--timeout", "TIME", "end the job after so many seconds (90, 90s, 10m, 2h): exit code 124",
         [](RunOptions& run, const std::string& value) { run.timeout = seconds(value); }},
        {"--checkpoint-every", "WHEN",
         "200 calls, 90s, 10m, 2h: when Adlib::Checkpoint writes (HPSPMD_CHECKPOINT_EVERY)",
         variable("HPSPMD_CHECKPOINT_EVERY")},
        {"--restarts", "R",
         "start again, up to R times, a job that a signal, MPI or the time limit has ended",
         [](RunOptions& run, const std::string& value) {
             run.restarts = positive("--restarts", value);
         }},
        {"--sbatch", nullptr,
         "print a job script for Slurm that does this (hpcc run --sbatch -n 64 prog | sbatch); "
         "--timeout is the job's limit of time",
         [](RunOptions& run, const std::string&) { run.isForSbatch = true; }},
        {"--quiet", nullptr, "without the launcher's line and its words about the end",
         [](RunOptions& run, const std::string&) { run.isQuiet = true; }},
        {"-v", nullptr, "print the variables that are set, too",
         [](RunOptions& run, const std::string&) { run.isVerbose = true; }}};
    return rows;
}

void printRunHelp() {
    std::string text =
        "hpcc run [options] prog [arguments]: runs a program on N processes.\n"
        "hpcc run [options] [folder [arguments]]: builds the project in that folder, or in the "
        "current one,\nby CMake or make, and runs its program.\n\n";
    for (const RunOptionText& option : runOptionTexts())
        text += fmt::format("  {:<24} {}\n",
                            option.name + (option.value.empty() ? "" : " " + option.value),
                            option.text);
    print(inOwnName(text + "\n" + runEndings));
}

}  // namespace

const char* const runEndings =
    "It ends with the exit code of the program, or 128 + the signal that has ended hpcc run. "
    "SIGTERM to hpcc run, with --restarts\nor --checkpoint-every, lets the program write a last "
    "checkpoint: exit code 143.\n";

std::vector<RunOptionText> runOptionTexts() {
    std::vector<RunOptionText> texts;
    for (const Option& option : options())
        texts.push_back({option.name, option.value ? option.value : "", option.text});
    texts.push_back({"--help", "", "this text"});
    return texts;
}

bool RunOptions::writesCheckpoints() const {
    return restarts > 0 || std::ranges::any_of(variables, [](const auto& variable) {
               return variable.first == "HPSPMD_CHECKPOINT_EVERY";
           });
}

void runUsageFailure(const std::string& text) {
    throw Failure(ExitCode::Usage,
                  text + "; usage: hpcc run [options] prog [arguments], see hpcc run --help");
}

std::optional<RunOptions> parseRunOptions(const std::vector<std::string>& words) {
    RunOptions run;
    run.processes = defaultProcesses();
    run.transport = defaultTransport();
    size_t at = 0;
    for (; at < words.size() && words[at].size() > 1 && words[at][0] == '-'; ++at) {
        if (words[at] == "--help") {
            printRunHelp();
            return std::nullopt;
        }
        const size_t equals = words[at].starts_with("--") ? words[at].find('=') : std::string::npos;
        const bool isNext = equals == std::string::npos;
        std::string name = words[at].substr(0, equals);
        if (name == "-np") name = "-n";
        const auto option = std::ranges::find(options(), name, &Option::name);
        if (option == options().end() || (!isNext && !option->value && !option->mayHaveValue))
            runUsageFailure(fmt::format("'{}' is no option of hpcc run", words[at]));
        if (!option->value && isNext) {
            option->apply(run, "");
            run.given.emplace_back(name, "");
            continue;
        }
        if (isNext && at + 1 == words.size())
            runUsageFailure(fmt::format("{} needs a value", name));
        const std::string value = isNext ? words[++at] : words[at].substr(equals + 1);
        if (value.empty()) runUsageFailure(fmt::format("{} needs a value", name));
        option->apply(run, value);
        run.given.emplace_back(name, value);
    }
    run.command.assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (run.isForSbatch && !run.isCountGiven)
        runUsageFailure("--sbatch needs -n: the job's number of processes");
    checkTransport(run);
    checkTrace(run);
    return run;
}

}  // namespace hpcc::driver
