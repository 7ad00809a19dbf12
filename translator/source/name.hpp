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

}  // namespace hpcc::source
