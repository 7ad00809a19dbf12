// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>

namespace hpcc::source {

// True if a text is made of letters, digits and '_' only, as names are, also those of passes.
inline bool isName(std::string_view text) {
    return !text.empty() &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// True if a text mentions a name, not only as a part of others.
inline bool mentionsName(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool begins = at == 0 || !isName(text.substr(at - 1, 1));
        if (begins && (end == text.size() || !isName(text.substr(end, 1)))) return true;
    }
    return false;
}

}  // namespace hpcc::source
