// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "target/rules.hpp"

#include "compose.hpp"
#include "target/back_end.hpp"

#include <hpspmd/error.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <sstream>
#include <string_view>

namespace hpspmd::detail {
namespace {

enum class Number : unsigned char { None, OfThreads, OfDevice, OfPlatformAndDevice, OfShare };

struct Word {
    const char* name;
    TargetKind kind;
    Number number;  // what may stand behind it, as in cuda:1
};

constexpr Word targetWords[] = {{"sequential", TargetKind::Sequential, Number::None},
                                {"threads", TargetKind::Threads, Number::OfThreads},
                                {"gpu", TargetKind::Gpu, Number::OfDevice},
                                {"cuda", TargetKind::Cuda, Number::OfDevice},
                                {"opencl", TargetKind::OpenCl, Number::OfPlatformAndDevice},
                                {"check", TargetKind::Check, Number::None},
                                {"devices", TargetKind::Devices, Number::OfShare},
                                {"automatic", TargetKind::Automatic, Number::None}};

constexpr int mostDevices = 1000;
constexpr std::string_view measuredWord = "measured", growWord = "grow", shrinkWord = "shrink",
                           guidedWord = "guided", fixedWord = "fixed", dynamicWord = "dynamic:";

std::optional<int> numberIn(std::string_view text, int least = 0,
                            int most = std::numeric_limits<int>::max()) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return std::nullopt;
    return number;
}

/// Of `devices`.
std::optional<int> shareIn(std::string_view text) {
    if (text == measuredWord) return measuredShare;
    if (text == growWord) return growingShare;
    if (text == shrinkWord) return shrinkingShare;
    if (text == guidedWord) return guidedShare;
    if (text == fixedWord) return -1;
    if (text.substr(0, dynamicWord.size()) != dynamicWord) return numberIn(text, 0, 100);
    const auto rows = numberIn(text.substr(dynamicWord.size()), 1, mostRowsOfChunk);
    return rows ? std::optional(dynamicShare + *rows) : std::nullopt;
}

std::string wordOfShare(int share) {
    if (share == measuredShare) return std::string(measuredWord);
    if (share == growingShare) return std::string(growWord);
    if (share == shrinkingShare) return std::string(shrinkWord);
    if (share == guidedShare) return std::string(guidedWord);
    return isDealtOut(share) ? compose(dynamicWord, share - dynamicShare) : compose(share);
}

std::optional<int> numberOf(const Word& word, std::string_view text) {
    if (word.number == Number::None) return std::nullopt;
    if (word.number == Number::OfShare) return shareIn(text);
    if (word.number == Number::OfThreads) return numberIn(text, 1, mostThreadsOfTarget);
    if (word.number == Number::OfDevice) return numberIn(text, 0, mostDevices - 1);
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos) return std::nullopt;
    const auto platform = numberIn(text.substr(0, point), 0, mostDevices - 1),
               device = numberIn(text.substr(point + 1), 0, devicesPerPlatform - 1);
    if (!platform || !device) return std::nullopt;
    return *platform * devicesPerPlatform + *device;
}

std::string howNumbered(const Word& word) {
    switch (word.number) {
    case Number::None:
        return compose("'", word.name, "' takes no number");
    case Number::OfShare:
        return compose(
            "the share of GPUs is 0 to 100 percent, as in devices:85, or measured: "
            "devices:measured, devices:grow, devices:shrink; or rows are dealt out: "
            "devices:guided, "
            "devices:dynamic:64 in chunks of 1 to ",
            mostRowsOfChunk, ", devices:fixed");
    case Number::OfThreads:
        return compose("threads are 1 to ", mostThreadsOfTarget, ", as in threads:4");
    case Number::OfDevice:
        return compose("devices have the numbers 0 to ", mostDevices - 1, ", as in ", word.name,
                       ":0");
    default:
        return "a device of OpenCL is platform.device, as in opencl:0.0";
    }
}

std::string allWords() {
    std::string text;
    for (const Word& word : targetWords) text += compose(text.empty() ? "" : ", ", word.name);
    return text;
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
    TargetWords words;
};
Cut cutRule(const std::string& line) {
    Cut cut{"",
            {{}, compose("'", line, "' is no rule: pattern:target, as in 'relax:threads'"), false}};
    for (std::size_t colon = line.find(':'); colon != std::string::npos;
         colon = line.find(':', colon + 1)) {
        TargetWords words = targetNamed(trimmed(line.substr(colon + 1)));
        if (words.target) return {trimmed(line.substr(0, colon)), std::move(words)};
        if (words.isKnown && !cut.words.isKnown) cut.words = std::move(words);
    }
    return cut;
}

/// "relax", "Sor::relax"
bool isFunctionName(std::string_view name) {
    const std::size_t colons = name.find("::");
    const std::string_view first = name.substr(0, colons);
    return !first.empty() && std::isdigit(static_cast<unsigned char>(first[0])) == 0 &&
           std::all_of(
               first.begin(), first.end(),
               [](unsigned char letter) { return std::isalnum(letter) != 0 || letter == '_'; }) &&
           (colons == std::string_view::npos || isFunctionName(name.substr(colons + 2)));
}

/// True if `part` is the whole, or the end of it behind `separator`: "sor.hpcpp" of "/a/sor.hpcpp".
bool isEnd(std::string_view part, std::string_view whole, std::string_view separator) {
    if (whole.size() < part.size()) return false;
    const std::size_t start = whole.size() - part.size();
    if (whole.substr(start) != part) return false;
    return start == 0 || (start >= separator.size() &&
                          whole.substr(start - separator.size(), separator.size()) == separator);
}

}  // namespace

TargetWords targetNamed(const std::string& words) {
    const bool isStrict = !words.empty() && words.back() == '!';
    const std::string text = isStrict ? words.substr(0, words.size() - 1) : words;
    const std::size_t colon = text.find(':');
    for (const Word& word : targetWords) {
        if (text.substr(0, colon) != word.name) continue;
        if (colon == std::string::npos) return {Target(word.kind, -1, isStrict), {}};
        if (const auto number = numberOf(word, std::string_view(text).substr(colon + 1)))
            return {Target(word.kind, *number, isStrict), {}};
        return {{}, compose("'", words, "': ", howNumbered(word))};
    }
    return {{},
            compose("'", words, "' is no target: ", allWords(), "; with '!' without fallback"),
            false};
}

std::string problemOf(const Target& target) {
    const int rows = target.number() - dynamicShare;
    const bool isChunked = target.kind() == TargetKind::Devices && isDealtOut(target.number()) &&
                           target.number() != guidedShare;
    return isChunked && (rows < 1 || rows > mostRowsOfChunk)
               ? compose("chunks have 1 to ", mostRowsOfChunk, " rows")
               : "";
}

std::string nameOf(const Target& target) {
    const int number = target.number();
    for (const Word& word : targetWords) {
        if (word.kind != target.kind()) continue;
        if (number < 0) return word.name;
        if (word.number == Number::OfShare) return compose(word.name, ":", wordOfShare(number));
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
        const Cut rule = cutRule(line);
        if (!rule.words.target) fail(rule.words.problem);
        const std::size_t colon = rule.pattern.rfind(':');
        const auto place = colon == std::string::npos
                               ? std::nullopt
                               : numberIn(std::string_view(rule.pattern).substr(colon + 1));
        if (place && colon > 0 && rule.pattern[colon - 1] != ':')
            rules.places_.push_back(
                {rule.pattern.substr(0, colon), *place, {*rule.words.target, number}});
        else if (rule.pattern == "*" || isFunctionName(rule.pattern))
            rules.functions_.push_back({rule.pattern, {*rule.words.target, number}});
        else
            fail(compose("'", rule.pattern,
                         "' is neither file:line nor the name of a function nor '*'"));
    }
    return rules;
}

std::optional<Rules::Found> Rules::at(const Site& site) const {
    for (auto place = places_.rbegin(); place != places_.rend(); ++place)
        if (place->line == site.where.line && isEnd(place->file, site.where.file, "/"))
            return place->says;
    for (auto function = functions_.rbegin(); function != functions_.rend(); ++function)
        if (function->name == "*" || isEnd(function->name, site.function, "::"))
            return function->says;
    return std::nullopt;
}

}  // namespace hpspmd::detail
