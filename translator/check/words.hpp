// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole words in text that has no tree.
#pragma once

#include <string_view>

namespace hpcc::check {

inline bool isWordCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool holdsWord(std::string_view text, std::string_view word) {
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const auto end = at + word.size();
        const bool begins = at == 0 || !isWordCharacter(text[at - 1]);
        if (begins && (end == text.size() || !isWordCharacter(text[end]))) return true;
    }
    return false;
}

}  // namespace hpcc::check
