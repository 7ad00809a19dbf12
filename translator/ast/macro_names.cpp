// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/macro_names.hpp"

#include <algorithm>

namespace hpcc::ast {
namespace {

bool isNameCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The name that `line` defines as a function-like macro, or "".
std::string_view definedName(std::string_view line) {
    const auto skipBlanks = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    const auto skip = [&](std::string_view word) {
        skipBlanks();
        const bool found = line.starts_with(word);
        if (found) line.remove_prefix(word.size());
        return found;
    };
    if (!skip("#") || !skip("define")) return {};
    skipBlanks();
    const auto end = std::find_if_not(line.begin(), line.end(), isNameCharacter);
    if (end == line.end() || *end != '(') return {};
    return line.substr(0, static_cast<size_t>(end - line.begin()));
}

}  // namespace

MacroNames::MacroNames(const source::Text& text) {
    for (uint32_t number = 1; number <= text.lineCount(); ++number) {
        const std::string_view name = definedName(text.line(number));
        if (!name.empty()) defined_.insert(name);
    }
}

bool MacroNames::mayBeMacro(NodePtr call) const {
    const NodePtr callee = call->child(Call::callee);
    if (!is<Identifier>(callee)) return false;
    const std::string_view name = callee->text();
    if (name == "assert" || defined_.contains(name)) return true;
    return !callee->symbol &&
           std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace hpcc::ast
