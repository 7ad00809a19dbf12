// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/rules.hpp"

#include "compose.hpp"

#include <hpspmd/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <sstream>
#include <string_view>

namespace hpspmd::detail {
namespace {

struct Word {
    const char* name;
    TargetKind kind;
    bool hasNumber;  // as in cuda:1
};

constexpr Word targetWords[] = {{"sequential", TargetKind::Sequential, false},
                                {"threads", TargetKind::Threads, true},
                                {"gpu", TargetKind::Gpu, true},
                                {"cuda", TargetKind::Cuda, true},
                                {"opencl", TargetKind::OpenCl, true},
                                {"check", TargetKind::Check, false},
                                {"devices", TargetKind::Devices, false},
                                {"automatic", TargetKind::Automatic, false}};

std::optional<int> numberIn(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
    return number;
}

/// The device with the number d of the platform p of OpenCL has the number 1000 p + d.
constexpr int devicesPerPlatform = 1000;

/// "1"; of OpenCL "platform.device".
std::optional<int> numberOf(const Word& word, std::string_view text) {
    if (word.kind != TargetKind::OpenCl) return numberIn(text);
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos) return std::nullopt;
    const auto platform = numberIn(text.substr(0, point)),
               device = numberIn(text.substr(point + 1));
    if (!platform || !device || *device >= devicesPerPlatform ||
        *platform >= std::numeric_limits<int>::max() / devicesPerPlatform)
        return std::nullopt;
    return *platform * devicesPerPlatform + *device;
}

std::string trimmed(const std::string& line) {
    const char* const blanks = " \t\r";
    const std::size_t first = line.find_first_not_of(blanks);
    if (first == std::string::npos) return "";
    return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

/// A rule cut where what follows names a target: `relax:cuda:1`.
struct Cut {
    std::string pattern;
    Target target;
};
std::optional<Cut> cutRule(const std::string& line) {
    for (std::size_t colon = line.find(':'); colon != std::string::npos;
         colon = line.find(':', colon + 1))
        if (const auto target = targetNamed(trimmed(line.substr(colon + 1))))
            return Cut{trimmed(line.substr(0, colon)), *target};
    return std::nullopt;
}

bool isFunctionName(const std::string& name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(), [](unsigned char letter) {
               return std::isalnum(letter) != 0 || letter == '_';
           });
}

/// Is `file` the name, or the end of the path?
bool isFile(const std::string& file, std::string_view path) {
    if (path.size() < file.size()) return false;
    const std::size_t start = path.size() - file.size();
    return path.substr(start) == file && (start == 0 || path[start - 1] == '/');
}

}  // namespace

std::optional<Target> targetNamed(const std::string& words) {
    const bool isStrict = !words.empty() && words.back() == '!';
    const std::string text = isStrict ? words.substr(0, words.size() - 1) : words;
    const std::size_t colon = text.find(':');
    for (const Word& word : targetWords) {
        if (text.substr(0, colon) != word.name) continue;
        if (colon == std::string::npos) return Target(word.kind, -1, isStrict);
        const auto number = numberOf(word, std::string_view(text).substr(colon + 1));
        if (!word.hasNumber || !number) return std::nullopt;
        return Target(word.kind, *number, isStrict);
    }
    return std::nullopt;
}

std::string nameOf(const Target& target) {
    const int number = target.number();
    for (const Word& word : targetWords) {
        if (word.kind != target.kind()) continue;
        if (number < 0) return word.name;
        if (word.kind != TargetKind::OpenCl) return compose(word.name, ":", number);
        return compose(word.name, ":", number / devicesPerPlatform, ".",
                       number % devicesPerPlatform);
    }
    return "none";
}

Rules Rules::parsed(const std::string& text, const std::string& file) {
    Rules rules;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        line = trimmed(line);
        if (line.empty() || line[0] == '#') continue;
        const auto fail = [&](const std::string& problem) {
            throw TargetUnavailable(compose(file, ":", number, ": ", problem), {});
        };
        const auto rule = cutRule(line);
        if (!rule) fail(compose("'", line, "' is no rule: pattern:target, as in 'relax:threads'"));
        const std::size_t colon = rule->pattern.rfind(':');
        const auto place = colon == std::string::npos
                               ? std::nullopt
                               : numberIn(std::string_view(rule->pattern).substr(colon + 1));
        if (place && colon > 0)
            rules.places_.push_back(
                {rule->pattern.substr(0, colon), *place, {rule->target, number}});
        else if (rule->pattern == "*" || isFunctionName(rule->pattern))
            rules.functions_.push_back({rule->pattern, {rule->target, number}});
        else
            fail(compose("'", rule->pattern,
                         "' is neither file:line nor the name of a function (without its class) "
                         "nor '*'"));
    }
    return rules;
}

std::optional<Rules::Found> Rules::at(const Site& site) const {
    for (auto place = places_.rbegin(); place != places_.rend(); ++place)
        if (place->line == site.where.line && isFile(place->file, site.where.file))
            return place->says;
    for (auto function = functions_.rbegin(); function != functions_.rend(); ++function)
        if (function->name == "*" || function->name == site.function) return function->says;
    return std::nullopt;
}

}  // namespace hpspmd::detail
