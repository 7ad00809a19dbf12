// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/macro_names.hpp"

#include <algorithm>
#include <vector>

#include "ast/effects.hpp"

namespace hpcc::ast {
namespace {

bool isNameCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// What stands behind `#define` in a line, or "".
std::string_view definition(std::string_view line) {
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
    return line;
}

std::string_view nameOf(std::string_view definition) {
    const auto end = std::find_if_not(definition.begin(), definition.end(), isNameCharacter);
    return definition.substr(0, static_cast<size_t>(end - definition.begin()));
}

bool isFunctionLike(std::string_view definition) {
    return definition.substr(nameOf(definition).size()).starts_with('(');
}

void addWords(std::string_view text, std::unordered_set<std::string_view>& words) {
    for (auto at = text.begin(); at != text.end();) {
        at = std::find_if(at, text.end(), isNameCharacter);
        const auto end = std::find_if_not(at, text.end(), isNameCharacter);
        if (at != end) words.emplace(at, end);
        at = end;
    }
}

}  // namespace

MacroNames::MacroNames(const source::Text& text) {
    bool continues = false;
    std::string_view name;
    for (uint32_t number = 1; number <= text.lineCount(); ++number) {
        const std::string_view line = text.line(number),
                               defined = continues ? line : definition(line);
        if (!continues) name = nameOf(defined);
        if (!continues && isFunctionLike(defined)) defined_.insert(name);
        addWords(defined, mentioned_);
        if (!name.empty()) addWords(defined, meanings_[name]);
        continues = !defined.empty() && line.ends_with('\\');
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

std::unordered_set<std::string_view> MacroNames::namesIn(NodePtr expression) const {
    const Words written = ast::namesIn(expression);
    std::vector<std::string_view> open(written.begin(), written.end());
    Words names;
    while (!open.empty()) {
        const std::string_view name = open.back();
        open.pop_back();
        if (!names.insert(name).second) continue;
        if (const auto known = meanings_.find(name); known != meanings_.end())
            open.insert(open.end(), known->second.begin(), known->second.end());
    }
    return names;
}

}  // namespace hpcc::ast
