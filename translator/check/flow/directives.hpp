// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessor directives between statements.
#pragma once

#include "check/types.hpp"

#include <string_view>

namespace hpcc::check::flow {

// The statements of a list in turn, and the text between them and behind the last one.
template <class Gap, class Statement>
void forEachStatement(NodePtr list, Gap gap, Statement statement) {
    const std::string_view text = list->text();
    const auto begin = list->span().begin;
    std::size_t end = 0;
    for (NodePtr each : list->children()) {
        if (!each) continue;
        const auto start = each->span().begin - begin;
        if (list->isParsed() && start > end && start <= text.size())
            gap(text.substr(end, start - end));
        end = each->span().end - begin;
        statement(each);
    }
    if (list->isParsed() && end < text.size()) gap(text.substr(end));
}

// What follows the # of a directive; "" if the line is none.
std::string_view directiveOf(std::string_view line);

// How the lines of a gap change what exists: `each(opened)` is called with 1 for an #if, -1 for an
// #endif, 0 for #else and #elif.
template <class Each>
void forEachCondition(std::string_view gap, Each each) {
    while (gap.find('#') != gap.npos) {
        const auto end = gap.find('\n');
        const std::string_view word = directiveOf(gap.substr(0, end));
        gap = end == gap.npos ? std::string_view() : gap.substr(end + 1);
        if (word.starts_with("if")) each(1);
        if (word.starts_with("endif")) each(-1);
        if (word.starts_with("el")) each(0);
    }
}

}  // namespace hpcc::check::flow
