// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/own_name.hpp"

#include <cctype>
#include <cerrno>
#include <string_view>

namespace hpcc::driver {
namespace {

constexpr std::string_view usual = "hpcc";

/// True if text[at] belongs to a name such as `x.hpcc.cpp`.
bool isInName(const std::string& text, size_t at) {
    if (at >= text.size()) return false;
    const unsigned char c = static_cast<unsigned char>(text[at]);
    const unsigned char next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
    return std::isalnum(c) || c == '_' || c == '/' || (c == '.' && std::isalnum(next));
}

}  // namespace

std::string ownName() {
    const std::string name = ::program_invocation_short_name;
    return name.empty() ? std::string(usual) : name;
}

std::string inOwnName(std::string text) {
    const std::string name = ownName();
    if (name == usual) return text;
    for (size_t at = 0; (at = text.find(usual, at)) != std::string::npos;) {
        const size_t end = at + usual.size();
        const bool isWord =
            !isInName(text, end) && (at == 0 || (!isInName(text, at - 1) && text[at - 1] != '.'));
        if (isWord) text.replace(at, usual.size(), name);
        at += isWord ? name.size() : usual.size();
    }
    return text;
}

}  // namespace hpcc::driver
