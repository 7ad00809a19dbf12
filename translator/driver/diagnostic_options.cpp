// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/diagnostic_options.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "driver/failure.hpp"

namespace hpcc::driver {
namespace {

using diagnostics::Id;
using diagnostics::Levels;

bool isNumber(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// HP and four digits, as in -Wno-HP1040; -Wall and its like are not ours.
bool isCode(std::string_view text) {
    return text.size() == 6 && text.starts_with("HP") && isNumber(text.substr(2));
}

DiagnosticsFormat readFormat(const std::string& value) {
    if (value == "text") return DiagnosticsFormat::Text;
    if (value == "json") return DiagnosticsFormat::Json;
    if (value == "sarif") return DiagnosticsFormat::Sarif;
    throw Failure(
        ExitCode::Usage,
        fmt::format("'{}' is no format of diagnostics; there are text, json and sarif", value));
}

Color readColor(const std::string& value) {
    if (value == "auto") return Color::Auto;
    if (value == "always") return Color::Always;
    if (value == "never") return Color::Never;
    throw Failure(ExitCode::Usage, fmt::format("'{}' does not say when to use color; that is auto, "
                                               "always or never",
                                               value));
}

int readLimit(const std::string& value) {
    int limit = 0;
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, limit);
    if (value.empty() || error != std::errc() || stop != end || limit < 0)
        throw Failure(ExitCode::Usage,
                      fmt::format("'{}' is no number of errors; 0 stands for all", value));
    return limit;
}

/// Removes the beginning of a word, if it is this one.
bool takePrefix(std::string_view& word, std::string_view prefix) {
    if (!word.starts_with(prefix)) return false;
    word.remove_prefix(prefix.size());
    return true;
}

std::optional<Levels::Choice> takeChoice(std::string_view& word) {
    if (takePrefix(word, "-Werror=")) return Levels::Choice::Error;
    if (takePrefix(word, "-Wno-error=")) return Levels::Choice::Shown;
    if (takePrefix(word, "-Wno-")) return Levels::Choice::Silent;
    return std::nullopt;
}

/// -Wno-HP1040, -Werror=HP1040, -Wno-error=HP1040.
bool takeLevel(Levels& levels, const std::string& word) {
    std::string_view rest = word;
    const auto choice = takeChoice(rest);
    if (!choice || !isCode(rest)) return false;
    const Id id = requireCode(std::string(rest));
    const bool isError = diagnostics::definition(id).severity == diagnostics::Severity::Error;
    if (isError && *choice != Levels::Choice::Error)
        throw Failure(ExitCode::Usage,
                      fmt::format("{}: {} is an error, not a warning, and stays one", word, rest));
    levels.choose(id, *choice);
    return true;
}

bool takeColor(Color& color, const std::string& word) {
    static constexpr std::string_view spelled = "-fdiagnostics-color=";
    if (word.starts_with(spelled))
        color = readColor(word.substr(spelled.size()));
    else if (word == "-fdiagnostics-color" || word == "-fcolor-diagnostics")
        color = Color::Always;
    else if (word == "-fno-diagnostics-color" || word == "-fno-color-diagnostics")
        color = Color::Never;
    else
        return false;
    return true;
}

/// -Rpass, -Rpass=name, -Rpass-missed, -Rpass-missed=name.
bool takeRemarks(ast::WantedRemarks& remarks, const std::string& word) {
    std::string_view rest = word;
    if (!takePrefix(rest, "-Rpass")) return false;
    std::vector<std::string>& names = takePrefix(rest, "-missed") ? remarks.missed : remarks.fired;
    if (!rest.empty() && !takePrefix(rest, "=")) return false;
    names.emplace_back(rest);
    return true;
}

}  // namespace

Id requireCode(const std::string& code) {
    const std::string name = isNumber(code) ? "HP" + code : code;
    if (const auto id = diagnostics::findCode(name)) return *id;
    std::string message = fmt::format("'{}' is no diagnostic of hpcc", code);
    if (isCode(name)) {
        message += "; near are";
        for (const Id id : diagnostics::nearCodes(std::stoi(name.substr(2)), 4))
            message += " " + diagnostics::codeName(id);
    } else {
        message += "; a code is HP and four digits, HP2201 say";
    }
    throw Failure(ExitCode::Usage, message);
}

bool takeDiagnosticOption(DiagnosticOptions& options, const std::string& name,
                          const std::string& value) {
    if (name == "diagnostics-format")
        options.format = readFormat(value);
    else if (name == "color")
        options.color = readColor(value);
    else if (name == "error-limit")
        options.errorLimit = readLimit(value);
    else
        return false;
    return true;
}

WordUse takeDiagnosticWord(DiagnosticOptions& options, const std::string& word) {
    static constexpr std::string_view clangLimit = "-ferror-limit=", gccLimit = "-fmax-errors=";
    if (word == "-Werror" || word == "-Wno-error") {
        options.levels.setWarningsAreErrors(word == "-Werror");
        return WordUse::Both;
    }
    if (word == "-Rhalo") {
        options.levels.choose(Id::NeedlessHalo, Levels::Choice::Shown);
        return WordUse::OursOnly;
    }
    if (word == "-Rpartition") {
        options.levels.choose(Id::DividedLoop, Levels::Choice::Shown);
        return WordUse::OursOnly;
    }
    if (word.starts_with(gccLimit)) {
        options.errorLimit = readLimit(word.substr(gccLimit.size()));
        return WordUse::Both;
    }
    if (word.starts_with(clangLimit)) {
        options.errorLimit = readLimit(word.substr(clangLimit.size()));
        return WordUse::OursOnly;
    }
    if (takeRemarks(options.remarks, word)) return WordUse::OursOnly;
    const bool isOurs = takeColor(options.color, word) || takeLevel(options.levels, word);
    return isOurs ? WordUse::OursOnly : WordUse::BackEndOnly;
}

}  // namespace hpcc::driver
