// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/macro_names.hpp"

#include <algorithm>
#include <vector>

#include "ast/effects.hpp"
#include "ast/macro_text.hpp"

namespace hpcc::ast {
namespace {

/// What stands behind `#define` in a line, or "".
std::string_view definition(std::string_view line) {
    return directiveIn(line) == "define" ? line : std::string_view();
}

bool isFunctionLike(std::string_view definition) {
    return definition.substr(nameAt(definition).size()).starts_with('(');
}

}  // namespace

MacroNames::MacroNames(const source::Text& text) {
    bool continues = false;
    std::string_view name;
    for (uint32_t number = 1; number <= text.lineCount(); ++number) {
        const std::string_view line = text.line(number),
                               defined = continues ? line : definition(line);
        if (!continues) name = nameAt(defined);
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
