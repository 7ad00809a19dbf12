// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/outer_numbers.hpp"

#include <algorithm>

#include "analysis/numbers.hpp"
#include "ast/print.hpp"
#include "nests/normalize/fixed_handles.hpp"

namespace hpcc::nests {

using ast::NodePtr;

void OuterNumbers::name(EntryTest& test) {
    for (const NodePtr number : nest_.outerNumbers) {
        std::string& known = names_[ast::print(number)];
        if (!known.empty()) continue;
        requirePointers(number, test);
        known = context_.fresh(std::string(number->children().back()->text()) + "_value");
        const bool isNumber = analysis::isNumber(number->type);  // else perhaps an object
        declarations_.push_back(context_.statement(
            isNumber ? "const auto $v = $e;" : "const auto &$v = $e;",
            {{"$v", context_.identifier(known, number)}, {"$e", context_.made(number, number)}},
            number));
    }
}

void OuterNumbers::requirePointers(NodePtr number, EntryTest& test) {
    for (const Premise& premise : pathOf(number).premises) {
        const std::string question = "bool(" + ast::print(premise.object) + ")";
        const bool isAsked = std::ranges::any_of(test.conditions(), [&](NodePtr condition) {
            return ast::print(condition) == question;
        });
        if (premise.object->text() != "this" && !isAsked)
            test.require(context_.expression(
                "bool($p)", {{"$p", context_.made(premise.object, number)}}, number));
    }
}

const std::string& OuterNumbers::nameOf(NodePtr number) const {
    return names_.at(ast::print(number));
}

}  // namespace hpcc::nests
