// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/source_places.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace hpcc::driver {
namespace {

bool isWord(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) || c == '_' || byte >= 0x80;
}

/// The token of `line` round byte `at`: a word, or a single character.
struct Token {
    size_t begin, end;
};

std::optional<Token> tokenAt(std::string_view line, size_t at) {
    if (at >= line.size() || line[at] == ' ' || line[at] == '\t') return std::nullopt;
    Token token{at, at + 1};
    if (!isWord(line[at])) return token;
    while (token.begin > 0 && isWord(line[token.begin - 1])) --token.begin;
    while (token.end < line.size() && isWord(line[token.end])) ++token.end;
    return token;
}

std::vector<Token> occurrences(std::string_view line, std::string_view word) {
    std::vector<Token> found;
    for (size_t at = line.find(word); at != line.npos; at = line.find(word, at + word.size())) {
        const std::optional<Token> token = tokenAt(line, at);
        if (token && token->end - token->begin == word.size()) found.push_back(*token);
    }
    return found;
}

/// The token of the user's line that stands at byte `at` of its translation. The n-th of several
/// equal ones there is the n-th here, as far as there are so many.
std::optional<Token> userToken(std::string_view translated, size_t at, std::string_view user) {
    const std::optional<Token> token = tokenAt(translated, at);
    if (!token) return std::nullopt;
    const std::string_view word = translated.substr(token->begin, token->end - token->begin);
    const std::vector<Token> here = occurrences(user, word);
    if (here.empty()) return std::nullopt;
    const std::vector<Token> there = occurrences(translated, word);
    const auto before = static_cast<size_t>(
        std::ranges::count_if(there, [&](const Token& t) { return t.begin < token->begin; }));
    return here[std::min(before, here.size() - 1)];
}

/// As a word of its own, between quotes that are no ASCII, perhaps.
bool isNamed(std::string_view word, std::string_view said) {
    const auto isAsciiWord = [](char c) {
        return isWord(c) && static_cast<unsigned char>(c) < 0x80;
    };
    for (size_t at = said.find(word); at != said.npos; at = said.find(word, at + 1)) {
        const size_t end = at + word.size();
        if ((at == 0 || !isAsciiWord(said[at - 1])) &&
            (end == said.size() || !isAsciiWord(said[end])))
            return true;
    }
    return false;
}

/// Of several translated lines that may be meant, one with a word there is the more likely one, and
/// most of all a word that the message names.
std::optional<Token> bestToken(const std::vector<std::string_view>& translated, size_t at,
                               std::string_view user, std::string_view said) {
    std::optional<Token> best;
    int most = 0;
    for (const std::string_view line : translated) {
        const auto token = userToken(line, at, user);
        if (!token) continue;
        const std::string_view word = user.substr(token->begin, token->end - token->begin);
        const int likely = !isWord(word[0]) ? 1 : isNamed(word, said) ? 3 : 2;
        if (likely <= most) continue;
        best = token;
        most = likely;
    }
    return best;
}

/// `#line 12 "f.hpcpp"` or `#line 12`, which changes the number only; false for another line.
bool takeDirective(std::string_view line, std::string& file, uint32_t& number) {
    static constexpr std::string_view start = "#line ";
    if (!line.starts_with(start)) return false;
    const char* end = line.data() + line.size();
    const char* stop = std::from_chars(line.data() + start.size(), end, number).ptr;
    if (end - stop < 4) return true;
    file.clear();
    for (const char* c = stop + 2; c + 1 < end; ++c) {
        if (*c == '\\' && c + 2 < end) ++c;
        file += *c;
    }
    return true;
}

/// `..hpspmd::detail::apart([&](const auto &i_run, auto s`: of what the user writes, no line names
/// hpspmd::detail; `double [[-]] a = a_given`.
bool isMade(std::string_view line, size_t at, std::string_view name) {
    if (at >= line.size()) return false;
    const std::string given = std::string(name) + " = " + std::string(name) + "_given";
    if (line.substr(at).starts_with(given)) return true;
    const std::string_view before = line.substr(0, at);
    const size_t begin = before.rfind("[&](");
    return begin != before.npos && before.find(')', begin + 4) == before.npos &&
           before.substr(0, begin).find("hpspmd::detail::") != before.npos;
}

}  // namespace

SourcePlaces::SourcePlaces(std::vector<std::string> translated) : texts_(std::move(translated)) {
    for (const std::string& text : texts_) addLines(text);
}

void SourcePlaces::addLines(std::string_view translated) {
    std::string file;
    uint32_t number = 1;
    while (!translated.empty()) {
        const std::string_view line = translated.substr(0, translated.find('\n'));
        translated.remove_prefix(std::min(line.size() + 1, translated.size()));
        if (!takeDirective(line, file, number)) translated_[{file, number++}].push_back(line);
    }
}

bool SourcePlaces::isTranslated(const std::string& file) const {
    const auto first = translated_.lower_bound({file, 0});
    return first != translated_.end() && first->first.first == file;
}

bool SourcePlaces::isMadeName(const CompilerPlace& place, std::string_view name) {
    const auto translated = translated_.find({place.file, place.line});
    const source::Text* text = this->text(place.file);
    const bool isKnown = translated != translated_.end() && place.column > 0 && text &&
                         place.line <= text->lineCount();
    if (!isKnown) return false;
    return occurrences(text->line(place.line), name).empty() ||
           std::ranges::any_of(translated->second, [&](std::string_view line) {
               return isMade(line, place.column - 1, name);
           });
}

source::Span SourcePlaces::find(const CompilerPlace& place, std::string_view said) {
    const source::Text* text = this->text(place.file);
    if (!text || place.line == 0 || place.line > text->lineCount()) return {};
    const std::string_view user = text->line(place.line);
    const auto lineBegin = static_cast<uint32_t>(user.data() - text->content().data());
    const auto span = [&](const Token& token) {
        return source::Span{text, lineBegin + static_cast<uint32_t>(token.begin),
                            lineBegin + static_cast<uint32_t>(token.end)};
    };
    const auto translated = translated_.find({place.file, place.line});
    if (place.column > 0) {
        if (translated == translated_.end()) {
            if (const auto token = tokenAt(user, place.column - 1)) return span(*token);
        } else {
            if (const auto token = bestToken(translated->second, place.column - 1, user, said))
                return span(*token);
        }
    }
    return span({std::min(user.find_first_not_of(" \t"), user.size()), user.size()});
}

const source::Text* SourcePlaces::text(const std::string& file) {
    const auto [entry, isNew] = sources_.try_emplace(file);
    if (isNew) entry->second = source::readFile(file);
    return entry->second.get();
}

}  // namespace hpcc::driver
