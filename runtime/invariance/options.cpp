// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/options.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "invariance/commands.hpp"

namespace hpspmd::invariance {
namespace {

constexpr const char* usage =
    R"(hpcc test prog [options] [-- arguments]: runs a program, or compiles an .hpcpp file and runs it, on several numbers
of processes, and names the first statement whose result depends on that number.

  -n 1,2,3,4           numbers of processes; the first run is what the others are compared with
  --threads 1,2        numbers of threads in each process
  --ranges             with every BlockRange as a CyclicRange, too
  --sums near          sums as without this tool; floating-point numbers agree if they differ by at most 1e-12 of
                       the larger one, or of 1; near:1e-9 takes another number (.hpcpp files of floats need near:1e-5)
  --ignore-output      compare what the program computes, not what it prints
  --help               this text

It ends with 0 if all runs agree, 1 if they differ, 2 if it is not used so, else with the program's exit code.
)";

std::vector<int> numbers(const std::string& option, const std::string& text) {
    std::vector<int> result;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        int number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc() || end != part.data() + part.size() || number < 1)
            throw UsageError(option + " takes numbers, as 1,2,4, not '" + text + "'");
        result.push_back(number);
    }
    if (result.empty()) throw UsageError(option + " takes numbers, as 1,2,4");
    return result;
}

/// near, near:1e-9
double tolerance(const std::string& text) {
    double number = 1e-12;
    const char* const end = text.data() + text.size();
    const bool isNear = text == "near" || text.starts_with("near:");
    if (text.size() > 4 && isNear) {
        const auto [rest, error] = std::from_chars(text.data() + 5, end, number);
        if (error != std::errc() || rest != end) number = 0;
    }
    if (!isNear || !(number > 0 && number < 1))
        throw UsageError("--sums may be near, or near:1e-9, not '" + text + "'");
    return number;
}

}  // namespace

std::optional<Options> parseOptions(const std::vector<std::string>& words) {
    Options options;
    options.hpcc = besideThis("hpcc");
    for (size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        const auto value = [&]() -> const std::string& {
            if (at + 1 == words.size()) throw UsageError(word + " needs a value");
            return words[++at];
        };
        if (word == "--help") {
            std::cout << usage;
            return std::nullopt;
        }
        if (word == "--") {
            options.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                     words.end());
            break;
        }
        if (word == "-n" || word == "-np")
            options.processes = numbers("-n", value());
        else if (word == "--threads")
            options.threads = numbers(word, value());
        else if (word == "--ranges")
            options.withCyclicRanges = true;
        else if (word == "--sums")
            options.tolerance = tolerance(value());
        else if (word.starts_with("--sums="))
            options.tolerance = tolerance(word.substr(7));
        else if (word == "--ignore-output")
            options.comparesOutput = false;
        else if (word.empty() || word[0] == '-')
            throw UsageError("'" + word + "' is no option of hpcc test");
        else if (options.program.empty())
            options.program = word;
        else
            throw UsageError("arguments of the program stand behind --");
    }
    if (options.program.empty()) throw UsageError("no program given");
    if (!std::filesystem::is_regular_file(options.program))
        throw UsageError("no file '" + options.program + "'");
    return options;
}

}  // namespace hpspmd::invariance
