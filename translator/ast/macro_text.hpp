// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and directives in the text of a program.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace hpcc::ast {

inline bool isNameCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The name, or number, with which a text begins; perhaps "".
inline std::string_view nameAt(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), isNameCharacter);
    return text.substr(0, static_cast<size_t>(end - text.begin()));
}

/// Adds the names, numbers and words in a text.
inline void addWords(std::string_view text, std::unordered_set<std::string_view>& words) {
    for (auto at = text.begin(); at != text.end();) {
        at = std::find_if(at, text.end(), isNameCharacter);
        const auto end = std::find_if_not(at, text.end(), isNameCharacter);
        if (at != end) words.emplace(at, end);
        at = end;
    }
}

/// The word behind `#` in a line, of which what stands behind it is left; "" if it is none.
inline std::string_view directiveIn(std::string_view& line) {
    const auto skipBlanks = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    skipBlanks();
    if (!line.starts_with('#')) return {};
    line.remove_prefix(1);
    skipBlanks();
    const std::string_view word = nameAt(line);
    line.remove_prefix(word.size());
    skipBlanks();
    return word;
}

}  // namespace hpcc::ast
