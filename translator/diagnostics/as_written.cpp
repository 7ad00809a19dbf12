// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics/as_written.hpp"

#include "source/line_marks.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

namespace hpcc::diagnostics {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;  // the user's words for made names

bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Word {
    std::size_t begin, end;  // in its line
};

// Names, numbers and single characters, without space.
std::vector<Word> wordsOf(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = at + 1;
        while (isOfWord(line[at]) && end < line.size() && isOfWord(line[end])) ++end;
        if (line[at] != ' ' && line[at] != '\t') words.push_back({at, end});
        at = end;
    }
    return words;
}

// "cells_k_1_a" of `cells[k + 1].a`: the name of what a method divides begins so.
std::string nameOf(std::string_view path) {
    std::string name;
    for (const char c : path) {
        if (isOfWord(c))
            name += c;
        else if (!name.empty() && name.back() != '_')
            name += '_';
    }
    if (!name.empty() && name.back() == '_') name.pop_back();
    return name;
}

// A line of a text that was written, beside the user's, word by word.
class Beside {
public:
    Beside(std::string_view made, std::string_view user)
        : made_(made),
          user_(user),
          madeWords_(wordsOf(made)),
          userWords_(wordsOf(user)),
          partners_(madeWords_.size()) {
        const std::size_t columns = userWords_.size() + 1;
        const auto at = [&](std::size_t m, std::size_t u) { return m * columns + u; };
        std::vector<Step> steps((madeWords_.size() + 1) * columns);
        for (std::size_t m = madeWords_.size(); m-- > 0;)
            for (std::size_t u = userWords_.size() + 1; u-- > 0;) {
                Step best{steps[at(m + 1, u)].value, 0, false};
                if (u < userWords_.size() && steps[at(m, u + 1)].value > best.value)
                    best = {steps[at(m, u + 1)].value, 0, true};
                if (const std::size_t count = countAlike(m, u)) {
                    const Step& next = steps[at(m + 1, u + count)];
                    const int value = next.value + (next.count > 0 ? 3 : 2);  // pairs in a row
                    if (value > best.value) best = {value, count, false};
                }
                steps[at(m, u)] = best;
            }
        for (std::size_t m = 0, u = 0; m < madeWords_.size();) {
            const Step& step = steps[at(m, u)];
            if (step.count > 0) partners_[m] = Word{userWords_[u].begin, lastOf(u, step.count)};
            u += step.count > 0 ? step.count : step.skipsUser ? 1 : 0;
            m += step.count > 0 || !step.skipsUser ? 1 : 0;
        }
    }

    // What of the user's line is made[begin, end); its words for made names come into `names`.
    std::optional<Word> find(std::size_t begin, std::size_t end, Names& names) const {
        std::optional<Word> found;
        for (std::size_t m = 0; m < madeWords_.size(); ++m) {
            const Word& word = madeWords_[m];
            if (word.end <= begin || word.begin >= end || !partners_[m]) continue;
            const std::string_view name = made_.substr(word.begin, word.end - word.begin),
                                   own = user_.substr(partners_[m]->begin,
                                                      partners_[m]->end - partners_[m]->begin);
            if (name != own) names.emplace(name, own);
            found = {found ? found->begin : partners_[m]->begin, partners_[m]->end};
        }
        return found;
    }

private:
    // The best from two words on: so many of the user's are the made one; none: one is left out.
    struct Step {
        int value = 0;
        std::size_t count = 0;
        bool skipsUser = false;
    };

    std::size_t lastOf(std::size_t first, std::size_t count) const {
        return userWords_[first + count - 1].end;
    }

    // How many words of the user's, from number u on, word m says.
    std::size_t countAlike(std::size_t m, std::size_t u) const {
        if (u == userWords_.size()) return 0;
        const auto [begin, end] = madeWords_[m];
        const std::string_view made = made_.substr(begin, end - begin);
        const std::size_t first = userWords_[u].begin;
        if (made == user_.substr(first, userWords_[u].end - first)) return 1;
        const std::size_t stem = made.rfind("_part");
        if (stem == made.npos || stem == 0 || !isOfWord(user_[first])) return 0;
        for (std::size_t count = 1; u + count <= userWords_.size(); ++count) {
            const std::string name = nameOf(user_.substr(first, lastOf(u, count) - first));
            const bool isWhole = isOfWord(user_[lastOf(u, count) - 1]);
            if (isWhole && name == made.substr(0, stem)) return count;
            if (name.size() > stem) return 0;
        }
        return 0;
    }

    std::string_view made_, user_;
    std::vector<Word> madeWords_, userWords_;
    std::vector<std::optional<Word>> partners_;
};

// One diagnostic at a time.
class Translation {
public:
    // What cannot be found is the line without the space round it.
    source::Span spanOf(const source::Span& made, bool* isFound = nullptr) {
        if (!made.text || !made.text->user()) return made;
        const source::Text& user = *made.text->user();
        const source::Position from = made.position();
        const std::string_view madeLine = made.text->line(from.line),
                               line = user.line(source::userLine(made));
        if (line.empty()) return {&user, 0, 0};
        const std::size_t begin = from.column - 1,
                          end = std::min(begin + (made.end - made.begin), madeLine.size());
        std::optional<Word> found = Word{begin, end};
        if (madeLine != line) found = Beside(madeLine, line).find(begin, end, names_);
        if (isFound) *isFound = found.has_value();
        if (!found) {
            const std::size_t first = line.find_first_not_of(" \t");
            found = {first == line.npos ? 0 : first, line.find_last_not_of(" \t") + 1};
        }
        const auto base = static_cast<uint32_t>(line.data() - user.content().data());
        return {&user, base + static_cast<uint32_t>(found->begin),
                base + static_cast<uint32_t>(found->end)};
    }

    std::string textOf(const std::string& made) const {
        std::string text;
        for (std::size_t at = 0; at < made.size();) {
            std::size_t end = at;
            while (end < made.size() && isOfWord(made[end])) ++end;
            const std::string_view word = std::string_view(made).substr(at, end - at);
            const auto known = names_.find(word);
            text += known != names_.end() ? std::string_view(known->second) : word;
            if (end == at) text += made[end++];
            at = end;
        }
        return text;
    }

private:
    Names names_;
};

}  // namespace

Diagnostic asWritten(Diagnostic diagnostic) {
    Translation translation;
    diagnostic.span = translation.spanOf(diagnostic.span);
    for (Note& note : diagnostic.notes) note.span = translation.spanOf(note.span);
    std::vector<Fixit> fixits;
    for (Fixit& each : diagnostic.fixits) {
        bool isFound = true;
        each.span = translation.spanOf(each.span, &isFound);
        if (isFound) fixits.push_back({each.span, translation.textOf(each.replacement)});
    }
    diagnostic.fixits = std::move(fixits);
    diagnostic.text = translation.textOf(diagnostic.text);
    for (Note& note : diagnostic.notes) note.text = translation.textOf(note.text);
    for (std::string& help : diagnostic.helps) help = translation.textOf(help);
    return diagnostic;
}

}  // namespace hpcc::diagnostics
