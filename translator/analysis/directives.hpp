// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preprocessor directives between statements.
#pragma once

#include <string_view>

#include "ast/node.hpp"

namespace hpcc::analysis {

using ast::NodePtr;

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
inline std::string_view directiveOf(std::string_view line) {
    const auto hash = line.find_first_not_of(" \t");
    if (hash == line.npos || line[hash] != '#') return {};
    const auto start = line.find_first_not_of(" \t", hash + 1);
    return start == line.npos ? std::string_view() : line.substr(start);
}

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

}  // namespace hpcc::analysis
