// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invariance/names.hpp"

#include <fstream>
#include <regex>
#include <vector>

#include "invariance/jobs.hpp"

namespace hpspmd::invariance {
namespace {

/// "hpspmd::detail::any(x, 1, n - 2), a, b" at the commas that stand in no brackets.
std::vector<std::string> splitArguments(const std::string& text) {
    std::vector<std::string> arguments(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' || c == '[' || c == '{' || c == '<';
        depth -= c == ')' || c == ']' || c == '}' || c == '>';
        if (c == ',' && depth == 0)
            arguments.emplace_back();
        else if (c != ' ' || !arguments.back().empty())
            arguments.back() += c;
    }
    return arguments;
}

/// a of "hpspmd::detail::part(a, {..})", "hpspmd::detail::perhaps(a)" and "a".
std::string nameIn(const std::string& argument) {
    static const std::regex part(R"(hpspmd::detail::(?:part|perhaps|further)\((.*)\))");
    std::smatch match;
    if (!std::regex_match(argument, match, part)) return argument;
    return nameIn(splitArguments(match[1]).front());
}

}  // namespace

std::string arrayName(const std::string& hpcc, const Site& site, int array) {
    if (site.name != "nest" || !std::ifstream(site.file)) return "";
    const ScratchFolder folder;
    const std::string lowered = folder.file("lowered.cpp"), messages = folder.file("messages");
    if (runCommand({hpcc, "-O0", "--emit=cpp", "-o", lowered, site.file}, {}, messages) != 0)
        return "";
    static const std::regex directive(R"re(#line (\d+)(?: "(.*)")?)re");
    static const std::regex nest(R"(\bconst hpspmd::detail::Nest \w+\((.*)\);)");
    std::ifstream text(lowered);
    int number = 0;
    std::smatch match;
    for (std::string line; std::getline(text, line); ++number) {
        if (std::regex_search(line, match, directive)) {
            number = std::stoi(match[1]) - 1;
            continue;
        }
        if (number != site.line || !std::regex_search(line, match, nest)) continue;
        std::vector<std::string> names = splitArguments(match[1]);
        if (names.front().find("detail::any(") != std::string::npos) names.erase(names.begin());
        const auto at = static_cast<size_t>(array);
        return at < names.size() ? nameIn(names[at]) : "";
    }
    return "";
}

std::string sourceLine(const Site& site) {
    std::ifstream text(site.file);
    std::string line;
    for (int number = 0; number < site.line; ++number)
        if (!std::getline(text, line)) return "";
    const size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin);
}

}  // namespace hpspmd::invariance
