// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/batch_script.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/core.h>

#include "driver/own_name.hpp"
#include "driver/process.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

std::string threadsOf(const RunOptions& run) {
    std::string threads;
    for (const auto& [name, value] : run.variables)
        if (name == "OMP_NUM_THREADS") threads = value;
    return threads;
}

/// hpcc run with the options that are not the job's own.
Command runCommand(const RunOptions& run) {
    static const std::vector<std::string> ofTheJob = {"--sbatch", "--host", "--timeout", "-n"};
    Command command{fs::read_symlink("/proc/self/exe").string(), "run", "-n",
                    std::to_string(run.processes)};
    for (const auto& [name, value] : run.given) {
        if (std::ranges::find(ofTheJob, name) != ofTheJob.end()) continue;
        const bool isLong = name.starts_with("--");
        command.push_back(isLong && !value.empty() ? name + '=' + value : name);
        if (!isLong && !value.empty()) command.push_back(value);
    }
    command.insert(command.end(), run.command.begin(), run.command.end());
    return command;
}

std::string setting(const std::string& name, const std::string& value = "") {
    return "#SBATCH --" + name + (value.empty() ? "" : '=' + value) + '\n';
}

constexpr const char* queueAgain = R"(code=$?
# Two minutes before its time is over Slurm sends SIGUSR1 to the processes. Adlib::Checkpoint then writes
# the state and ends the program with 143: the job is queued again and goes on from there.
if [ "$code" -eq 143 ] && scontrol requeue "$SLURM_JOB_ID"; then exit 0; fi
exit "$code"
)";

}  // namespace

std::string batchScript(const RunOptions& run, bool writesCheckpoints) {
    const std::string program = fs::path(run.command[0]).filename().string();
    const std::string threads = threadsOf(run);
    std::string text = "#!/bin/bash\n# Made by " + ownName() +
                       " run --sbatch, for sbatch. Add what your cluster asks for: "
                       "--partition, --account.\n";
    text += setting("job-name", program) + setting("output", program + ".%j.out");
    if (run.transport == "node") text += setting("nodes", "1");
    text += setting("ntasks", std::to_string(run.processes));
    if (!threads.empty()) text += setting("cpus-per-task", threads);
    if (!run.hosts.empty()) text += setting("nodelist", run.hosts);
    if (run.timeout > 0)
        text += setting("time", fmt::format("{:.0f}", std::ceil(run.timeout / 60)));
    if (writesCheckpoints)
        text += setting("signal", "USR1@120") + setting("requeue") + setting("open-mode", "append");
    text += '\n';
    // srun does not take --cpus-per-task from the job any more (since 22.05).
    if (!threads.empty()) text += "export SRUN_CPUS_PER_TASK=" + threads + '\n';
    text += shellLine(runCommand(run)) + '\n';
    return text + (writesCheckpoints ? queueAgain : "");
}

}  // namespace hpcc::driver
