// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/help.hpp"

#include <sstream>

#include <fmt/core.h>
#include <boost/program_options.hpp>

#include "driver/config.hpp"
#include "driver/own_name.hpp"
#include "driver/standard_streams.hpp"
#include "driver/toolchain.hpp"
#include "driver/verbs.hpp"

namespace po = boost::program_options;

namespace hpcc::driver {
namespace {

constexpr const char* usage =
    R"(hpcc: compiler of HPspmd C++ (.hpcpp sources, .hph headers), used like mpicxx.

  hpcc [options] file... [-o prog]     translate, compile and link
@VERBS@
)";

constexpr const char* passedOn =
    R"(Files that are no .hpcpp go to the C++ compiler or the linker as they are, and so does every flag with one
dash that is not listed here (-g -std= -W.. -f.. -march= -Wl,..).

)";

constexpr const char* epilogue = R"(
With -fopenmp, and not below -O3, nests of overall are divided among threads; OMP_NUM_THREADS says how many in each process
(otherwise its share of the cores), and -Rpass-missed=threads which nests are not, and why.
Warnings have codes: -Wno-HPnnnn leaves one out, -Werror makes all of them errors, -Werror=HPnnnn one, and
-Wno-error=HPnnnn lets one be a warning nevertheless. -Rhalo remarks on needless calls of writeHalo,
-Rpartition on the loops of methods that are divided, and what is fetched for them.
-Rpass[=name] tells where passes changed the program, -Rpass-missed[=name] where they could not and why.
Exit codes: 0 ok, 1 errors in the sources, or a file, the output or memory fails, 2 usage, 3 internal error of
hpcc, 4 part of the toolchain is missing. No output may be an input. A signal that ends hpcc leaves nothing unfinished.
HPCC_MPICXX and HPCC_MPIEXEC, if set, replace the MPI compiler wrapper and launcher; they must be one MPI's pair.
HPCC_PRECOMPILED, if set, names a folder in which hpcc keeps <hpspmd> precompiled by g++: short programs compile in
a third of the time (100 MB for each set of options, 4 GB in all).
)";

std::vector<OptionGroup> makeGroups() {
    const auto text = [] { return po::value<std::string>(); };
    po::options_description goals("What to make", 100);
    goals.add_options()(",c", "objects only")(",S", "assembly only")(
        ",E", "preprocessed text only")("fsyntax-only", "only look for errors")(
        "emit", text()->value_name("STAGE"),
        "print an intermediate form: tokens, parsed, checked, pretranslated, lowered, optimized, "
        "cpp; "
        "header: the installable form of an .hph")(",o", text()->value_name("FILE"),
                                                   "name of the output");
    po::options_description translation("Translation", 100);
    translation.add_options()(",O", text()->value_name("n"),
                              "level of the translator 0..3 (default 3, with -g alone 0); the C++ "
                              "compiler gets -O3, or -O0 "
                              "with -O0")("backend-O", text()->value_name("n"),
                                          "level of the C++ compiler alone")(
        "device", "let nests run on devices, too (docs/devices.md)")(
        "for", text()->value_name("TOOL"),
        "valgrind: with -g and without instructions that valgrind does not know "
        "(-march=x86-64-v3); the level stays")(
        "device-arch", text()->value_name("ARCHS"),
        "with --device: make the kernels for these GPUs of CUDA now (sm_80,sm_90,compute_90), and "
        "keep them in the program")(
        "vector-math",
        "let nests call exp, log, sin .. of the C library for several numbers at once; the last "
        "digits may differ")("no-checks",
                             "leave out the checks at run time, but those of collectives")(
        "no-bounds-checks",
        "of these, leave out the questions whether elements exist and are held here")(
        "no-ghost-checks", "and those whether ghost cells that are read are fresh")(
        "bounds-checks", "switch these on again")("ghost-checks", "switch those on again")(
        "pass", text()->value_name("[no-]NAME"), "switch a pass on or off")(
        "no-collective-checks",
        "processes that do not meet in a collective wait for ever, instead of ending by an error")(
        "collective-checks", "switch that on again")("print-after", text()->value_name("NAME"),
                                                     "print the program after a stage or pass")(
        "time-passes", "time of each stage and pass")(",P", "no #line directives");
    po::options_description messages("Errors and warnings", 100);
    messages.add_options()("explain", text()->value_name("HPnnnn"),
                           "what a code means, with a wrong and a right program")(
        "diagnostics-format", text()->value_name("FORMAT"),
        "text, json or sarif, on the standard error output")(
        "color", text()->value_name("WHEN"),
        "auto (on a terminal), always or never; also -fdiagnostics-color=")(
        "error-limit", text()->value_name("n"),
        "errors shown per file (default 20, 0: all); also -ferror-limit=");
    po::options_description files("Files and dependencies", 100);
    files.add_options()(",I", text()->value_name("DIR"), "folder of headers, also of .hph")(
        ",D", text()->value_name("NAME[=VALUE]"), "macro")(
        ",L", text()->value_name("DIR"), "folder of libraries")(",l", text()->value_name("NAME"),
                                                                "library")("MD", "write a depfile")(
        "MMD", "without system headers")("MF", text()->value_name("FILE"), "name of the depfile")(
        "MT", text()->value_name("TARGET"), "target in the depfile")(
        "MQ", text()->value_name("TARGET"), "the same, quoted for make")(
        "MP", "a phony target per header")(
        "headers", text()->value_name("DIR"),
        "with --emit=cpp: translate the .hph below DIR, so that the text compiles anywhere");
    po::options_description insight("Insight", 100);
    insight.add_options()("why", text()->value_name("FILE:LINE"),
                          "which form the nests of that line have, and what keeps them from a "
                          "better one")("show", "print the commands, run nothing")(
        ",v", "print the commands as they run")(
        "keep", "keep the generated C++ (FILE.hpcc.cpp) in the current folder")(
        "help", "this text")("version", "versions of hpcc, MPI and the C++ compiler");
    return {{"What to make", goals},
            {"Translation", translation},
            {"Errors and warnings", messages},
            {"Files and dependencies", files},
            {"Insight", insight}};
}

}  // namespace

const std::vector<OptionGroup>& optionGroups() {
    static const std::vector<OptionGroup> groups = makeGroups();
    return groups;
}

const po::options_description& describedOptions() {
    static const po::options_description options = [] {
        po::options_description all;
        for (const OptionGroup& group : optionGroups()) all.add(group.options);
        return all;
    }();
    return options;
}

std::vector<std::string> longOptionNames() {
    std::vector<std::string> names;
    for (const auto& option : describedOptions().options())
        if (!option->long_name().starts_with('-')) names.push_back(option->long_name());
    return names;
}

const std::vector<std::string>& stageNames() {
    static const std::vector<std::string> names = {"tokens",        "parsed", "divided", "checked",
                                                   "pretranslated", "nests",  "kernels", "lowered",
                                                   "optimized",     "cpp",    "header"};
    return names;
}

std::string usageText() {
    std::string lines;
    for (const Verb& verb : verbs())
        lines += fmt::format("  {:<36} {}\n", std::string("hpcc ") + verb.usage, verb.help);
    std::string text = usage;
    return text.replace(text.find("@VERBS@"), 7, lines);
}

std::string notesText() { return inOwnName(std::string(passedOn) + epilogue); }

void printHelp() {
    std::ostringstream text;
    text << inOwnName(usageText()) << passedOn << describedOptions() << inOwnName(epilogue);
    print(text.str());
}

void printVersion() {
    const Toolchain toolchain = findToolchain();
    print(fmt::format("hpcc {}\nMPI: {} with {} ({})\nC++ compiler: {}\n", config::version,
                      toolchain.mpicxx, toolchain.mpiexec, config::mpiFamily,
                      compilerVersion(toolchain)));
}

}  // namespace hpcc::driver
