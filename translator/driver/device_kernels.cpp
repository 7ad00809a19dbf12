// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/device_kernels.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/files.hpp"
#include "driver/process.hpp"
#include "driver/verbs.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

/// The kernels of a translated text, of which each is a line.
std::string kernelLines(const std::string& translated) {
    std::string lines;
    std::istringstream stream(translated);
    for (std::string line; std::getline(stream, line);)
        if (const size_t begin = line.find_first_not_of(' '); begin != std::string::npos)
            for (const std::string_view macro : {"HPSPMD_KERNEL(", "HPSPMD_KERNEL_OF("})
                if (line.compare(begin, macro.size(), macro) == 0)
                    lines += line.substr(begin) + '\n';
    return lines;
}

/// The arrays of numbers that translated texts name: of each type the most dimensions.
std::map<std::string, int> arraysNamed(const std::string& translated) {
    static const std::regex array("\\bArray<(?:const )?(double|float|int|long)((?:, [\\w:]+)+)>");
    std::map<std::string, int> all;
    const std::sregex_iterator end;
    for (std::sregex_iterator each(translated.begin(), translated.end(), array); each != end;
         ++each) {
        const std::string slots = (*each)[2];
        int& most = all[(*each)[1]];
        most = std::max(most, static_cast<int>(std::ranges::count(slots, ',')));
    }
    return all;
}

/// What hpspmd-kernels makes besides: nests of templates for the types of the arrays, and the
/// reductions whose names stand there for arrays of these types and of no more dimensions. What is
/// missing is made where the program runs.
std::string guessedLines(const std::string& translated) {
    const auto arrays = arraysNamed(translated);
    if (arrays.empty()) return "";
    std::string types, lines;
    for (const auto& [type, dimensions] : arrays)
        types += fmt::format("{}\"{}\"", types.empty() ? "" : ", ", type);
    struct Reduction {
        const char *name, *joins, *of;
    };
    constexpr int mostDimensions = 3;
    for (const auto& [name, joins, of] : {Reduction{"sum", "SUM", "elements"},
                                          {"maxval", "MAX", "elements"},
                                          {"minval", "MIN", "elements"},
                                          {"dotProduct", "SUM", "products"}}) {
        if (!std::regex_search(translated, std::regex(fmt::format("\\b{} *\\(", name)))) continue;
        for (const auto& [type, dimensions] : arrays)
            for (int k = 1; k <= std::min(dimensions, mostDimensions); ++k)
                lines += fmt::format("hpspmd_reduction(\"{}\", \"{}\", \"{}\", \"{}\")\n", joins,
                                     of, type, k);
    }
    return fmt::format("hpspmd_types({})\n", types) + lines;
}

std::string textsBelow(const fs::path& folder) {
    std::string texts;
    std::error_code isAbsent;
    if (folder.empty() || !fs::is_directory(folder, isAbsent)) return texts;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) texts += '\n' + readSource(entry.path());
    return texts;
}

void perform(const Command& command, const Options& options) {
    if (options.verbose) std::cerr << shellLine(command) << std::endl;
    std::string said;
    const int status = run(command, said);
    if (status == static_cast<int>(ExitCode::Usage) ||
        status == static_cast<int>(ExitCode::ToolchainMissing))
        throw Failure(static_cast<ExitCode>(status), said);
    if (status != 0)
        throw Failure(ExitCode::SourceError,
                      said.empty()
                          ? fmt::format("{} has ended with exit code {}", command[0], status)
                          : said);
    std::cerr << said;
}

}  // namespace

std::vector<std::string> architecturesIn(const std::string& value) {
    static const std::regex name("(sm|compute)_[1-9][0-9]{1,2}");
    std::vector<std::string> result;
    std::istringstream words(value + ',');
    for (std::string word; std::getline(words, word, ',');) {
        if (!std::regex_match(word, name))
            throw Failure(ExitCode::Usage,
                          fmt::format("--device-arch={}: '{}' is no architecture of CUDA, as sm_80 "
                                      "and compute_90 are",
                                      value, word));
        if (std::ranges::find(result, word) == result.end()) result.push_back(word);
    }
    return result;
}

std::string kernelsAhead(const Toolchain& toolchain, const Options& options,
                         const std::string& translated, const fs::path& headers) {
    if (options.architectures.empty()) return "";
    const std::string all = translated + textsBelow(headers), lines = kernelLines(all);
    if (lines.empty()) return "";
    const TemporaryFolder folder;
    const fs::path macros = folder.path() / "kernels.cpp", texts = folder.path() / "kernels.ii",
                   made = folder.path() / "made.cpp";
    writeFile(macros, "#define HPSPMD_AHEAD\n#include <hpspmd/device/kernel.hpp>\n" +
                          guessedLines(all) + lines);
    perform({toolchain.mpicxx, "-E", "-std=gnu++17", "-isystem", toolchain.include.string(),
             macros.string(), "-o", texts.string()},
            options);
    perform({toolBeside("hpspmd-kernels"), fmt::format("{}", fmt::join(options.architectures, ",")),
             texts.string(), made.string()},
            options);
    return "\n#line 1 \"kernels made ahead of time\"\n" + readSource(made);
}

}  // namespace hpcc::driver
