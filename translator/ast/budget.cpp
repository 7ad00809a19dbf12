// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/budget.hpp"

#include <string_view>
#include <vector>

namespace hpcc::ast {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

/// The parts between commas that no bracket encloses.
std::vector<std::string_view> partsOf(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        const char c = k < text.size() ? text[k] : ',';
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (c != ',' || (depth > 0 && k < text.size())) continue;
        parts.push_back(trimmed(text.substr(begin, k - begin)));
        begin = k + 1;
    }
    return parts;
}

void take(Budget& budget, std::string_view part) {
    const std::size_t equal = part.find('=');
    const std::string_view name = trimmed(part.substr(0, equal));
    const std::string_view value =
        equal == part.npos ? std::string_view() : trimmed(part.substr(equal + 1));
    std::string* const place = name == "messages" ? &budget.messages
                               : name == "bytes"  ? &budget.bytes
                                                  : nullptr;
    if (!place || !place->empty() || value.empty())
        budget.wrong = part.empty() ? "()" : part;
    else
        *place = value;
}

}  // namespace

Budget budgetOf(NodePtr attributed) {
    Budget budget;
    for (const NodePtr each : attributed->child(Attributed::attributes)->children()) {
        if (!is<HpspmdAttribute>(each) || each->child(HpspmdAttribute::name)->text() != "budget")
            continue;
        budget.attribute = each;
        const NodePtr arguments = each->child(HpspmdAttribute::arguments);
        const std::string_view text = arguments ? arguments->text() : "()";
        for (const std::string_view part : partsOf(text.substr(1, text.size() - 2)))
            take(budget, part);
    }
    return budget;
}

}  // namespace hpcc::ast
