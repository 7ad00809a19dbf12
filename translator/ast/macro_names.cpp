// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/macro_names.hpp"

#include <algorithm>

#include "ast/search.hpp"

namespace hpcc::ast {
namespace {

bool isNameCharacter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool hasNoSmallLetter(std::string_view name) {
    return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
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

/// The name of a function-like macro, or "".
std::string_view functionLike(std::string_view definition) {
    const auto end = std::find_if_not(definition.begin(), definition.end(), isNameCharacter);
    if (end == definition.end() || *end != '(') return {};
    return definition.substr(0, static_cast<size_t>(end - definition.begin()));
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
    for (uint32_t number = 1; number <= text.lineCount(); ++number) {
        const std::string_view line = text.line(number),
                               defined = continues ? line : definition(line);
        if (!continues && !functionLike(defined).empty()) defined_.insert(functionLike(defined));
        addWords(defined, mentioned_);
        continues = !defined.empty() && line.ends_with('\\');
    }
}

bool MacroNames::mayBeMacro(NodePtr call) const {
    const NodePtr callee = call->child(Call::callee);
    if (!is<Identifier>(callee)) return false;
    const std::string_view name = callee->text();
    if (name == "assert" || defined_.contains(name)) return true;
    return !callee->symbol && hasNoSmallLetter(name);
}

bool MacroNames::mayStandIn(NodePtr expression) const {
    return anywhere(expression, [this](NodePtr each) {
        return each->is<Identifier>() &&
               (mention(each->text()) || (!each->symbol && hasNoSmallLetter(each->text())));
    });
}

}  // namespace hpcc::ast
