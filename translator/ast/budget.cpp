// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ast/budget.hpp"

#include <string_view>

#include "ast/attributes.hpp"

namespace hpcc::ast {
namespace {

void take(Budget& budget, std::string_view part) {
    const std::size_t equal = part.find('=');
    const std::string_view name = trimmed(part.substr(0, equal));
    const std::string_view value =
        equal == part.npos ? std::string_view() : trimmed(part.substr(equal + 1));
    std::string* const place = name == "messages" ? &budget.messages
                               : name == "bytes"  ? &budget.bytes
                                                  : nullptr;
    const bool isPlain = value.find_first_of("#`") == value.npos && value.find("[[") == value.npos;
    if (!place || !place->empty() || value.empty() || !isPlain)
        budget.wrong = part.empty() ? "()" : part;
    else
        *place = value;
}

}  // namespace

Budget budgetOf(NodePtr attributed) {
    Budget budget;
    for (const Attribute& each : attributesOf(attributed)) {
        if (each.name != "budget") continue;
        budget.attribute = each.node;
        const auto arguments = parts(each.arguments);
        if (arguments.empty()) take(budget, "");
        for (const std::string_view argument : arguments) take(budget, argument);
    }
    return budget;
}

}  // namespace hpcc::ast
