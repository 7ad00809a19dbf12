// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/options.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "check/near_names.hpp"
#include "driver/explain.hpp"
#include "driver/failure.hpp"
#include "driver/help.hpp"

namespace po = boost::program_options;

namespace hpcc::driver {
namespace {

using Words = std::vector<std::string>;

/// Back-end flags whose value is the next word; without this list the value would look like an
/// input.
const std::set<std::string> backEndFlagsWithValue = {"-include",    "-imacros",   "-isystem",
                                                     "-iquote",     "-idirafter", "-iprefix",
                                                     "-isysroot",   "-Xlinker",   "-Xpreprocessor",
                                                     "-Xassembler", "--param",    "-T",
                                                     "-u",          "-z",         "-x",
                                                     "-U",          "-arch",      "-framework"};

/// What Boost would not understand: back-end flags with a value, and -O alone, which is -O1.
std::vector<po::option> takeSpecial(Words& words) {
    po::option option;
    size_t count = 1;
    if (words[0] == "-O") {
        option.string_key = "-O";
        option.value = {"1"};
    } else if (words.size() > 1 && backEndFlagsWithValue.count(words[0])) {
        option.string_key = words[0];
        count = 2;
    } else {
        return {};
    }
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    option.original_tokens.assign(words.begin(), end);
    words.erase(words.begin(), end);
    return {option};
}

std::vector<po::option> split(const Words& words) {
    using namespace po::command_line_style;
    po::command_line_parser parser(words);
    parser.options(describedOptions())
        .extra_style_parser(takeSpecial)
        .allow_unregistered()
        .style(allow_short | allow_dash_for_short | short_allow_adjacent | short_allow_next |
               allow_long | long_allow_adjacent | long_allow_next | allow_long_disguise);
    try {
        return parser.run().options;
    } catch (const po::error& error) {
        throw Failure(ExitCode::Usage, error.what());
    }
}

bool startsWith(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

void setLevel(Options& options, const std::string& value) {
    static const std::string digits = "0123";
    if (value.size() == 1 && digits.find(value) != std::string::npos) {
        options.level = value[0] - '0';
        options.backEndLevel = options.level == 0 ? "0" : "3";
    } else if (value == "g" || value == "s" || value == "z" || value == "fast") {
        options.level = value == "g" ? 0 : value == "fast" ? 3 : 2;
        options.backEndLevel = value;
    } else {
        throw Failure(ExitCode::Usage,
                      fmt::format("-O{} is no level; there are -O0 to -O3", value));
    }
}

/// `-g`, `-g3`, `-ggdb`: whoever looks at statements one by one wants them as they are written.
bool asksForDebugger(const std::string& word) {
    return word == "-g" || word == "-g2" || word == "-g3" || startsWith(word, "-ggdb");
}

/// Gathers the options one by one, because later ones override earlier ones and inputs keep their
/// places.
class Collector {
public:
    Options take(const std::vector<po::option>& parsed) {
        for (const po::option& option : parsed) take(option);
        if (!isLevelGiven_ && isForDebugger_) setLevel(options_, "0");
        if (!backEndLevel_.empty()) options_.backEndLevel = backEndLevel_;
        if (!options_.collectiveChecks)
            options_.compileFlags.push_back("-DHPSPMD_NO_COLLECTIVE_CHECKS");
        if (!options_.ghostChecks) options_.compileFlags.push_back("-DHPSPMD_NO_GHOST_CHECKS");
        return std::move(options_);
    }

private:
    void take(const po::option& option) {
        if (option.position_key >= 0) {
            options_.items.push_back({true, option.value.at(0)});
        } else if (option.unregistered) {
            takeForBackEnd(option.original_tokens);
        } else {
            const std::string value = option.value.empty() ? std::string() : option.value[0];
            const bool isShort = startsWith(option.string_key, "-");
            takeKnown(isShort ? option.string_key.substr(1) : option.string_key, value);
        }
    }

    void takeForBackEnd(const Words& tokens) {
        static const std::set<std::string> forLinker = {"-Xlinker", "-T", "-u", "-z", "-framework"};
        const std::string& word = tokens[0];
        if (startsWith(word, "-Wl,") || startsWith(word, "-shared") ||
            startsWith(word, "-static") || forLinker.count(word)) {
            for (const std::string& token : tokens) options_.items.push_back({false, token});
            return;
        }
        if (startsWith(word, "-march=") || startsWith(word, "-mcpu=")) options_.marchGiven = true;
        if (startsWith(word, "-std=")) options_.standardGiven = true;
        if (word == "-fopenmp" || startsWith(word, "-fopenmp=")) options_.threads = true;
        if (asksForDebugger(word)) isForDebugger_ = true;
        if (word == "-fno-openmp") options_.threads = false;
        if (startsWith(word, "--") && word != "--param") unknownLongOption(word);
        if (takeDiagnosticWord(options_.diagnostics, word) == WordUse::OursOnly) return;
        if (word == "-M" || word == "-MM") {
            throw Failure(ExitCode::Usage, word + " alone is not supported; take -MD or -MMD");
        }
        options_.compileFlags.insert(options_.compileFlags.end(), tokens.begin(), tokens.end());
    }

    [[noreturn]] static void unknownLongOption(const std::string& word) {
        const std::string name = word.substr(2, word.find('=') - 2);
        const std::string nearest = check::nearestName(name, longOptionNames());
        const std::string advice = nearest.empty() ? "flags with one dash go to the C++ compiler"
                                                   : fmt::format("did you mean '--{}'?", nearest);
        throw Failure(ExitCode::Usage, fmt::format("unknown option '{}'; {}", word, advice));
    }

    void takeKnown(const std::string& name, const std::string& value) {
        if (takeGoal(name, value) || takeTranslation(name, value) || takeDependency(name, value) ||
            takeDiagnosticOption(options_.diagnostics, name, value))
            return;
        if (name == "o") {
            options_.output = value;
        } else if (name == "headers") {
            options_.headerFolder = value;
        } else if (name == "I") {
            options_.includeFolders.push_back(value);
            options_.compileFlags.push_back("-I" + value);
        } else if (name == "D") {
            options_.compileFlags.push_back("-D" + value);
        } else if (name == "L" || name == "l") {
            options_.items.push_back({false, "-" + name + value});
        } else {
            throw std::logic_error("option '" + name + "' is described, but not understood");
        }
    }

    bool takeGoal(const std::string& name, const std::string& value) {
        if (name == "c")
            options_.goal = Goal::Object;
        else if (name == "S")
            options_.goal = Goal::Assembly;
        else if (name == "E")
            options_.goal = Goal::Preprocessed;
        else if (name == "fsyntax-only")
            options_.goal = Goal::SyntaxOnly;
        else if (name == "emit")
            setStage(value);
        else if (name == "show")
            options_.show = true;
        else if (name == "device")
            options_.device = true;
        else if (name == "keep")
            options_.keep = true;
        else if (name == "v")
            options_.verbose = true;
        else
            return false;
        return true;
    }

    void setStage(const std::string& value) {
        const auto& names = stageNames();
        if (std::find(names.begin(), names.end(), value) == names.end()) {
            const std::string nearest = check::nearestName(value, names);
            throw Failure(
                ExitCode::Usage,
                fmt::format("--emit={} is no stage{}; the stages are {}", value,
                            nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                            fmt::join(names, ", ")));
        }
        options_.goal = Goal::Stage;
        options_.stage = value;
    }

    bool takeTranslation(const std::string& name, const std::string& value) {
        if (name == "O") {
            setLevel(options_, value);
            isLevelGiven_ = true;
        } else if (name == "backend-O")
            backEndLevel_ = value;
        else if (name == "P")
            options_.lineDirectives = false;
        else if (name == "no-checks")
            options_.boundsChecks = options_.ghostChecks = false;
        else if (name == "bounds-checks" || name == "no-bounds-checks")
            options_.boundsChecks = name == "bounds-checks";
        else if (name == "ghost-checks" || name == "no-ghost-checks")
            options_.ghostChecks = name == "ghost-checks";
        else if (name == "collective-checks" || name == "no-collective-checks")
            options_.collectiveChecks = name == "collective-checks";
        else if (name == "time-passes")
            options_.timePasses = true;
        else if (name == "pass")
            options_.passes.push_back(value);
        else if (name == "print-after")
            options_.printAfter.push_back(value);
        else
            return false;
        return true;
    }

    bool takeDependency(const std::string& name, const std::string& value) {
        DependencyOptions& dependencies = options_.dependencies;
        if (name == "MD" || name == "MMD") {
            dependencies.wanted = true;
            dependencies.withSystemHeaders = name == "MD";
        } else if (name == "MF") {
            dependencies.file = value;
        } else if (name == "MP") {
            dependencies.words.push_back("-MP");
        } else if (name == "MT" || name == "MQ") {
            dependencies.words.insert(dependencies.words.end(), {"-" + name, value});
            dependencies.targetGiven = true;
        } else {
            return false;
        }
        return true;
    }

    Options options_;
    bool isLevelGiven_ = false, isForDebugger_ = false;
    std::string backEndLevel_;  ///< --backend-O stands above -O wherever it is written
};

void requireSense(const Options& options) {
    const Words inputs = options.inputs();
    if (inputs.empty()) throw Failure(ExitCode::Usage, "no input files; see hpcc --help");
    const bool oneOutputEach = options.goal != Goal::Program;
    if (options.output && oneOutputEach && inputs.size() > 1) {
        throw Failure(ExitCode::Usage, "-o names one output, but there are several inputs");
    }
    if (options.output && options.output->empty())
        throw Failure(ExitCode::Usage, "-o needs a file name");
    if (options.headerFolder && options.stage != "cpp")
        throw Failure(ExitCode::Usage, "--headers goes with --emit=cpp");
    if (options.goal == Goal::Stage && options.dependencies.wanted && !options.output)
        throw Failure(ExitCode::Usage, "a depfile of what --emit prints needs -o");
}

}  // namespace

std::vector<std::string> Options::inputs() const {
    Words files;
    for (const LinkItem& item : items) {
        if (item.isInput) files.push_back(item.text);
    }
    return files;
}

std::optional<Options> parseOptions(const Words& words) {
    if (std::find(words.begin(), words.end(), "--emit=") != words.end())
        throw Failure(ExitCode::Usage, fmt::format("--emit= needs a stage; the stages are {}",
                                                   fmt::join(stageNames(), ", ")));
    for (const std::string& word : words) {
        if (word == "--help" || word == "-help") return printHelp(), std::nullopt;
        if (word == "--version") return printVersion(), std::nullopt;
    }
    const std::vector<po::option> parsed = split(words);
    for (const po::option& option : parsed)
        if (option.string_key == "explain")
            return printExplanation(option.value.at(0)), std::nullopt;
    Options options = Collector().take(parsed);
    requireSense(options);
    return options;
}

}  // namespace hpcc::driver
