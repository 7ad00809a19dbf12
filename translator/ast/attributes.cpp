// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/attributes.hpp"

#include <algorithm>

namespace hpcc::ast {

std::vector<Attribute> attributesOf(NodePtr attributed) {
    std::vector<Attribute> result;
    for (const NodePtr each : attributed->child(Attributed::attributes)->children()) {
        if (!is<HpspmdAttribute>(each)) continue;
        const NodePtr arguments = each->child(HpspmdAttribute::arguments);
        std::string_view text = arguments ? arguments->text() : std::string_view();
        if (text.size() >= 2) text = text.substr(1, text.size() - 2);
        result.push_back({each, each->child(HpspmdAttribute::name)->text(), trimmed(text)});
    }
    return result;
}

bool hasAttribute(NodePtr node, std::string_view name) {
    return is<Attributed>(node) &&
           std::ranges::any_of(attributesOf(node),
                               [&](const Attribute& each) { return each.name == name; });
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view space = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(space);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

std::vector<std::string_view> parts(std::string_view text, char separator) {
    std::vector<std::string_view> result;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : separator;
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (c != separator || (depth != 0 && i < text.size())) continue;
        result.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    if (result.size() == 1 && result.front().empty()) result.clear();
    return result;
}

}  // namespace hpcc::ast
