// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/diagnostic_options.hpp"

namespace hpcc::driver {

/// What one `hpcc` command makes.
enum class Goal { Program, Object, Assembly, Preprocessed, SyntaxOnly, Stage, Answer };

/// A word of the command line that keeps its place: an input file, or words for the linker.
struct LinkItem {
    bool isInput;
    std::string text;
};

struct DependencyOptions {
    bool wanted = false;
    bool withSystemHeaders = true;    ///< -MD, as against -MMD
    std::optional<std::string> file;  ///< -MF
    std::vector<std::string> words;   ///< -MT x, -MQ x, -MP: for the back end
    bool targetGiven = false;
};

struct Options {
    Goal goal = Goal::Program;
    std::string stage;                        ///< --emit=...
    std::optional<uint32_t> line;             ///< --why: of the only input
    std::vector<LinkItem> items;              ///< inputs, objects and libraries in their order
    std::vector<std::string> compileFlags;    ///< for every back-end compilation, in their order
    std::vector<std::string> includeFolders;  ///< of -I, also among compileFlags
    std::optional<std::string> output, headerFolder;
    DependencyOptions dependencies;

    int level = 3;                   ///< of the translator, 0..3
    std::string backEndLevel = "3";  ///< behind -O
    bool marchGiven = false, standardGiven = false;

    bool threads = false;                    ///< -fopenmp, which the C++ compiler gets, too
    bool device = false;                     ///< --device
    bool vectorMath = false;                 ///< --vector-math
    std::vector<std::string> architectures;  ///< --device-arch, each once
    bool forValgrind = false;                ///< --for=valgrind
    bool show = false, keep = false, verbose = false;
    bool boundsChecks = true, ghostChecks = true, collectiveChecks = true, lineDirectives = true,
         timePasses = false;
    std::vector<std::string> passes;  ///< name or no-name
    std::vector<std::string> printAfter;
    DiagnosticOptions diagnostics;

    std::vector<std::string> inputs() const;
};

/// What the command line asks for; nothing if it only asked for --help, --version or --explain,
/// which are then printed. Failure(Usage) for what cannot be understood.
std::optional<Options> parseOptions(const std::vector<std::string>& words);

}  // namespace hpcc::driver
