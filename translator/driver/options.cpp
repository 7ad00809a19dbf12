// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/options.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "check/near_names.hpp"
#include "diagnostics/pages.hpp"
#include "driver/device_kernels.hpp"
#include "driver/failure.hpp"
#include "driver/help.hpp"
#include "driver/standard_streams.hpp"
#include "nests/passes.hpp"

namespace po = boost::program_options;

namespace hpcc::driver {

using diagnostics::page;
using diagnostics::pageText;

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

void setStage(Options& options, const std::string& value) {
    const auto& names = stageNames();
    if (std::find(names.begin(), names.end(), value) == names.end()) {
        const std::string nearest = check::nearestName(value, names);
        throw Failure(
            ExitCode::Usage,
            fmt::format("--emit={} is no stage{}; the stages are {}", value,
                        nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                        fmt::join(names, ", ")));
    }
    options.goal = Goal::Stage;
    options.stage = value;
}

/// FILE:LINE
void setQuestion(Options& options, const std::string& value) {
    const size_t colon = value.rfind(':');
    uint32_t line = 0;
    const char* const end = value.data() + value.size();
    if (colon != std::string::npos) {
        const auto [stop, error] = std::from_chars(value.data() + colon + 1, end, line);
        if (stop != end || error != std::errc()) line = 0;
    }
    if (line == 0 || colon == 0)
        throw Failure(
            ExitCode::Usage,
            fmt::format("--why={}: what is asked for is FILE:LINE, as in jacobi.hpcpp:42", value));
    if (options.line) throw Failure(ExitCode::Usage, "--why answers for one line");
    options.goal = Goal::Answer;
    options.line = line;
    options.items.push_back({true, value.substr(0, colon)});
    // All that the passes on nests have to say.
    const auto wish = [&](std::span<const ast::Pass> passes) {
        for (const ast::Pass& pass : passes) {
            options.diagnostics.remarks.fired.emplace_back(pass.name);
            options.diagnostics.remarks.missed.emplace_back(pass.name);
        }
    };
    wish(nests::normalizations());
    wish(nests::passes());
}

void addTarget(Options& options, const std::string& flag, const std::string& target) {
    DependencyOptions& dependencies = options.dependencies;
    dependencies.words.insert(dependencies.words.end(), {flag, target});
    dependencies.targetGiven = true;
}

void addArchitectures(Options& options, const std::string& value) {
    for (const std::string& each : architecturesIn(value))
        if (std::ranges::find(options.architectures, each) == options.architectures.end())
            options.architectures.push_back(each);
}

/// --for=valgrind
void setUse(Options& options, const std::string& value) {
    if (value != "valgrind")
        throw Failure(ExitCode::Usage,
                      fmt::format("--for={}: what a program can be made for is valgrind", value));
    options.forValgrind = true;
}

/// What options set, by their names.
using Setter = void (*)(Options&, const std::string& value);
const std::map<std::string, Setter>& setters() {
    static const std::map<std::string, Setter> table = {
        {"c", [](Options& o, const std::string&) { o.goal = Goal::Object; }},
        {"S", [](Options& o, const std::string&) { o.goal = Goal::Assembly; }},
        {"E", [](Options& o, const std::string&) { o.goal = Goal::Preprocessed; }},
        {"fsyntax-only", [](Options& o, const std::string&) { o.goal = Goal::SyntaxOnly; }},
        {"emit", setStage},
        {"why", setQuestion},
        {"show", [](Options& o, const std::string&) { o.show = true; }},
        {"for", setUse},
        {"device", [](Options& o, const std::string&) { o.device = true; }},
        {"device-arch", addArchitectures},
        {"vector-math", [](Options& o, const std::string&) { o.vectorMath = true; }},
        {"keep", [](Options& o, const std::string&) { o.keep = true; }},
        {"v", [](Options& o, const std::string&) { o.verbose = true; }},
        {"P", [](Options& o, const std::string&) { o.lineDirectives = false; }},
        {"no-checks", [](Options& o, const std::string&) { o.boundsChecks = o.ghostChecks = false; }},
        {"bounds-checks", [](Options& o, const std::string&) { o.boundsChecks = true; }},
        {"no-bounds-checks", [](Options& o, const std::string&) { o.boundsChecks = false; }},
        {"ghost-checks", [](Options& o, const std::string&) { o.ghostChecks = true; }},
        {"no-ghost-checks", [](Options& o, const std::string&) { o.ghostChecks = false; }},
        {"collective-checks", [](Options& o, const std::string&) { o.collectiveChecks = true; }},
        {"no-collective-checks", [](Options& o, const std::string&) { o.collectiveChecks = false; }},
        {"time-passes", [](Options& o, const std::string&) { o.timePasses = true; }},
        {"pass", [](Options& o, const std::string& value) { o.passes.push_back(value); }},
        {"print-after", [](Options& o, const std::string& value) { o.printAfter.push_back(value); }},
        {"o", [](Options& o, const std::string& value) { o.output = value; }},
        {"headers", [](Options& o, const std::string& value) { o.headerFolder = value; }},
        {"I",
         [](Options& o, const std::string& value) {
             o.includeFolders.push_back(value);
             o.compileFlags.push_back("-I" + value);
         }},
        {"D", [](Options& o, const std::string& value) { o.compileFlags.push_back("-D" + value); }},
        {"L", [](Options& o, const std::string& value) { o.items.push_back({false, "-L" + value}); }},
        {"l", [](Options& o, const std::string& value) { o.items.push_back({false, "-l" + value}); }},
        {"MD",
         [](Options& o, const std::string&) {
             o.dependencies.wanted = o.dependencies.withSystemHeaders = true;
         }},
        {"MMD",
         [](Options& o, const std::string&) {
             o.dependencies.wanted = true;
             o.dependencies.withSystemHeaders = false;
         }},
        {"MF", [](Options& o, const std::string& value) { o.dependencies.file = value; }},
        {"MP", [](Options& o, const std::string&) { o.dependencies.words.push_back("-MP"); }},
        {"MT", [](Options& o, const std::string& value) { addTarget(o, "-MT", value); }},
        {"MQ", [](Options& o, const std::string& value) { addTarget(o, "-MQ", value); }}};
    return table;
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
        if (options_.forValgrind) makeForValgrind();
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

    /// Valgrind knows no AVX-512, and names lines where there is debug information.
    void makeForValgrind() {
        Words& flags = options_.compileFlags;
#ifdef __x86_64__
        if (!options_.marchGiven) flags.emplace_back("-march=x86-64-v3");
        options_.marchGiven = true;
#endif
        if (!isForDebugger_) flags.emplace_back("-g");
    }

    [[noreturn]] static void unknownLongOption(const std::string& word) {
        const std::string name = word.substr(2, word.find('=') - 2);
        const std::string nearest = check::nearestName(name, longOptionNames());
        const std::string advice = nearest.empty() ? "flags with one dash go to the C++ compiler"
                                                   : fmt::format("did you mean '--{}'?", nearest);
        throw Failure(ExitCode::Usage, fmt::format("unknown option '{}'; {}", word, advice));
    }

    void takeKnown(const std::string& name, const std::string& value) {
        if (name == "O") {
            setLevel(options_, value);
            isLevelGiven_ = true;
        } else if (name == "backend-O") {
            backEndLevel_ = value;
        } else if (const auto set = setters().find(name); set != setters().end()) {
            set->second(options_, value);
        } else if (!takeDiagnosticOption(options_.diagnostics, name, value)) {
            throw std::logic_error("option '" + name + "' is described, but not understood");
        }
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
    if (options.line) {
        if (options.goal != Goal::Answer || inputs.size() != 1 || options.output)
            throw Failure(ExitCode::Usage,
                          "--why answers for one line, and makes nothing; it goes without other "
                          "files, -o, -c, -S, -E, --emit and -fsyntax-only");
        if (options.level < 3)
            throw Failure(ExitCode::Usage,
                          fmt::format("--why tells of the passes on nests; at -O{} there are none",
                                      options.level));
    }
    if (!options.architectures.empty() && (!options.device || options.level < 3))
        throw Failure(ExitCode::Usage,
                      "--device-arch makes the kernels that --device writes, at -O3");
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
            return print(pageText(page(requireCode(option.value.at(0))))), std::nullopt;
    Options options = Collector().take(parsed);
    requireSense(options);
    return options;
}

}  // namespace hpcc::driver
