// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/verbs.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include <fmt/core.h>

#include "check/near_names.hpp"
#include "driver/launch.hpp"
#include "driver/process.hpp"
#include "driver/run_options.hpp"
#include "driver/toolchain.hpp"

namespace hpcc::driver {
namespace {

/// A verb that is a program of its own.
[[noreturn]] void becomeTool(const char* name, const std::vector<std::string>& words) {
    Command command{toolBeside(name)};
    command.insert(command.end(), words.begin(), words.end());
    become(command);
}

/// Of this machine, or with options of a job: of its processes, which measure each other.
ExitCode devices(const std::vector<std::string>& words) {
    if (words.empty() || words[0] == "--help" || words[0][0] != '-')
        becomeTool("hpspmd-devices", words);
    if (words.back() == "-n") runUsageFailure("-n needs a value");
    const std::string tool = toolBeside("hpspmd-speeds");
    std::vector<std::string> job = words;
    const bool isAnew = std::erase(job, "--again") > 0;
    job.insert(job.begin(), "--quiet");
    job.push_back(tool);
    if (isAnew) job.push_back("--again");
    const std::optional<RunOptions> run = parseRunOptions(job);
    if (run && run->command[0] != tool)
        throw Failure(ExitCode::Usage,
                      fmt::format("hpcc devices runs no program: '{}'", run->command[0]));
    launch(job);
}

}  // namespace

std::string toolBeside(const char* name) {
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe");
    const std::string path = (own.parent_path() / name).string();
    requireProgram(path, "verb's program");
    return path;
}

const std::vector<Verb>& verbs() {
    static const std::vector<Verb> rows = {
        {"run", "run [options] prog|folder [arguments]",
         "run a program, or build a project and run its program, on N processes, -n N (default: "
         "one per core); hpcc run --help",
         [](const std::vector<std::string>& words) -> ExitCode { launch(words); }},
        {"test",
         "test PROG [-n 1,2,4] [--threads 1,2] [--ranges] [--sums near] [--ignore-output] [-- "
         "ARGUMENTS]",
         "name the first statement whose result depends on the number of processes",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-test", words);
         }},
        {"devices", "devices [-n N] [--again]",
         "a table of the devices on which nests can run, and why others cannot; with -n, or other "
         "options of hpcc run, of a job's processes, with measured speeds",
         devices},
        {"profile", "profile FILE",
         "show what hpcc run --profile=FILE has recorded: where the time of a run has gone",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-profile", words);
         }},
        {"bill",
         "bill FILE|PROG [-n 16,1024] [--run N] [--machine FILE] [--scale strong|weak] [--budget "
         "FILE] [--json]",
         "what a run recorded by hpcc run --profile=FILE, or one made now, sends at each line, "
         "also on other processes",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-bill", words);
         }},
        {"layout", "layout RANGE..|RUN.json [--grid 2x3] [-o FILE.html]",
         "a page that shows which process holds which elements: of ranges, or of all arrays of a "
         "run",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-layout", words);
         }},
        {"look", "look FILE..",
         "what files of arrays hold, checkpoints among them, and whether it is whole",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-look", words);
         }},
        {"movie", "movie NAME|PICTURE.. [-o FILE.gif] [--rate R]",
         "join the pictures that Adlib::Frames has written, NAME.000000.png .., into a .gif",
         [](const std::vector<std::string>& words) -> ExitCode {
             becomeTool("hpspmd-movie", words);
         }},
        {"debug", "debug [-n N] [--one|--attach K] [--batch FILE] [--core FILE] PROG [ARGUMENTS]",
         "a program under gdb, which then knows multiarrays", debug},
        {"new", "new NAME [--cmake|--make]", "make a folder with a project", newProject},
        {"doctor", "doctor [--json]",
         "look at compiler, MPI and libraries, and say how to mend them", doctor},
        {"manual", "manual [run]", "print the man page hpcc(1), or hpcc-run(1)", manual},
        {"completion", "completion bash|zsh", "print the completion script for a shell",
         completion}};
    return rows;
}

const Verb* verbCalled(const std::string& word) {
    const auto found =
        std::ranges::find_if(verbs(), [&](const Verb& verb) { return verb.name == word; });
    return found == verbs().end() ? nullptr : &*found;
}

void requireKnownVerb(const std::string& word) {
    const bool isWord = std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c); });
    if (word.empty() || !isWord || std::filesystem::exists(word)) return;
    std::vector<std::string> names;
    for (const Verb& verb : verbs()) names.emplace_back(verb.name);
    const std::string nearest = check::nearestName(word, names);
    if (!nearest.empty())
        throw Failure(ExitCode::Usage,
                      fmt::format("no file and no verb '{}'; did you mean '{}'?", word, nearest));
}

}  // namespace hpcc::driver
