// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/back_end_report.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace hpcc::driver {
namespace {

using diagnostics::Id;

/// Splits "double, hpspmd::Dist>.." behind "hpspmd::Array<" at its commas; the rest begins behind
/// the closing bracket.
std::optional<std::vector<std::string_view>> takeArguments(std::string_view& rest) {
    std::vector<std::string_view> arguments;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i < rest.size(); ++i) {
        const char c = rest[i];
        if (depth == 0 && (c == ',' || c == '>')) {
            arguments.push_back(rest.substr(begin, rest.find_last_not_of(' ', i - 1) + 1 - begin));
            begin = rest.find_first_not_of(' ', i + 1);
            if (c == '>') {
                rest.remove_prefix(i + 1);
                return arguments;
            }
        }
        depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    }
    return std::nullopt;
}

/// "[[-,*]]"; nothing if a slot is open, as in the declaration of a template.
std::optional<std::string> slotsOf(const std::vector<std::string_view>& arguments) {
    std::string slots;
    for (size_t r = 1; r < arguments.size(); ++r) {
        const bool isDistributed = arguments[r] == "hpspmd::Dist";
        if (!isDistributed && arguments[r] != "hpspmd::Seq") return std::nullopt;
        slots += (r > 1 ? "," : "") + std::string(isDistributed ? "-" : "*");
    }
    return "[[" + slots + "]]";
}

/// "static assertion failed: text" and clang's form of it become the text.
std::string_view withoutAssertion(std::string_view text) {
    static constexpr std::string_view gcc = "static assertion failed: ";
    if (text.starts_with(gcc)) return text.substr(gcc.size());
    const size_t quote = text.find('"');
    if (text.starts_with("static_assert failed") && quote != text.npos && text.back() == '"')
        return text.substr(quote + 1, text.size() - quote - 2);
    return text;
}

}  // namespace

std::string inSourceTerms(std::string_view text) {
    static constexpr std::string_view array = "hpspmd::Array<";
    std::string result;
    while (true) {
        const size_t found = text.find(array);
        result += text.substr(0, found);
        if (found == text.npos) return result;
        text.remove_prefix(found + array.size());
        std::string_view rest = text;
        const auto arguments = takeArguments(rest);
        const auto slots = arguments ? slotsOf(*arguments) : std::nullopt;
        if (slots) {
            result += inSourceTerms(arguments->front()) + " " + *slots;
            text = rest;
        } else {
            result += array;
        }
    }
}

/// A name is as unknown in the fast form of a nest, which is a template, as in the nest.
static std::string withoutTemplate(const std::string& text) {
    constexpr std::string_view begin = "there are no arguments to ",
                               end = " that depend on a template parameter";
    const size_t found = text.find(end);
    if (!text.starts_with(begin) || found == text.npos) return text;
    return text.substr(begin.size(), found - begin.size()) + " was not declared in this scope";
}

void makeShadowsWarnings(std::vector<std::string>& command) {
    std::vector<std::string> added;
    for (const std::string& word : command)
        for (const std::string before : {"-Werror=", "-W"})
            if (word.starts_with(before + "shadow"))
                added.push_back("-Wno-error=" + word.substr(before.size()));
    command.insert(command.end(), added.begin(), added.end());
}

/// s of "declaration of 'auto s' shadows .."
static std::string_view declaredName(std::string_view text) {
    text = text.substr(0, text.find(" shadows "));
    const auto isWord = [](char c) {
        return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_';
    };
    while (!text.empty() && !isWord(text.back())) text.remove_suffix(1);
    const auto begin = std::find_if_not(text.rbegin(), text.rend(), isWord);
    return text.substr(static_cast<size_t>(text.rend() - begin));
}

BackEndReport::BackEndReport(std::vector<std::string> translated, std::filesystem::path ownHeaders,
                             const std::vector<std::string>& flags)
    : places_(std::move(translated)),
      ownHeaders_(std::move(ownHeaders)),
      areShadowsErrors_(std::ranges::any_of(
          flags, [](const std::string& flag) { return flag.starts_with("-Werror=shadow"); })) {}

bool BackEndReport::isOwn(const CompilerPlace& place) const {
    return place.file.starts_with(ownHeaders_.string() + "/");
}

/// A header of the system, mostly of the standard library.
bool BackEndReport::isOfSystem(const CompilerPlace& place) const {
    if (isOwn(place)) return false;
    return place.file.starts_with("/usr/include/") || place.file.starts_with("/usr/lib/") ||
           place.file.find("/include/c++/") != std::string::npos;
}

bool BackEndReport::isOfProgram(const CompilerPlace& place) const {
    return !isOwn(place) && !isOfSystem(place);
}

/// Where the source asks for what went wrong: g++ lists the instantiations before the message,
/// clang in notes behind it.
const CompilerPlace& BackEndReport::placeOf(const CompilerMessage& message) const {
    if (isOfProgram(message.place)) return message.place;
    for (const CompilerPlace& place : message.requiredFrom)
        if (isOfProgram(place)) return place;
    for (const CompilerMessage& note : message.notes)
        if (isOfProgram(note.place) && note.text.find("requested here") != std::string::npos)
            return note.place;
    return message.place;
}

void BackEndReport::report(const CompilerMessage& message, diagnostics::Engine& engine) {
    const bool isShadow = message.text.find("[-Wshadow") != std::string::npos;
    if (isShadow && places_.isMadeName(message.place, declaredName(message.text))) return;
    const bool isWarning =
        message.kind == CompilerMessage::Kind::Warning && !(isShadow && areShadowsErrors_);
    const CompilerPlace& place = placeOf(message);
    const std::string text = withoutTemplate(inSourceTerms(withoutAssertion(message.text)));
    if (!told_.insert({place.file, place.line, text}).second) return;
    auto report = engine.report(isWarning ? Id::CompilerWarning : Id::CompilerError,
                                places_.find(place, text), text);
    if (isOwn(place)) report.note({}, "in " + place.file + ":" + std::to_string(place.line));
    if (isOfSystem(message.place) && &place != &message.place)
        report.note(places_.find(message.place), "in what is made of it here");
    addNotes(message, place, report);
}

void BackEndReport::addNotes(const CompilerMessage& message, const CompilerPlace& shown,
                             diagnostics::Report report) {
    const int mostForeign = isOfSystem(message.place) ? 0 : 3;
    int foreign = 0;
    bool isShown = false;
    for (const CompilerMessage& note : message.notes) {
        const bool belongsToLast = note.text.starts_with(' ');  // why a candidate does not fit
        if (!belongsToLast) {
            const bool isForeign = !isOwn(note.place) && !places_.isTranslated(note.place.file);
            foreign += isForeign;
            isShown = !isOwn(note.place) && &note.place != &shown &&
                      (!isForeign || foreign <= mostForeign);
        }
        if (isShown) report.note(places_.find(note.place, note.text), inSourceTerms(note.text));
    }
    if (foreign > mostForeign)
        report.note({}, std::to_string(foreign - mostForeign) +
                            " more notes of the C++ compiler about other files are left out");
}

}  // namespace hpcc::driver
