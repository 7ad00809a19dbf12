// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of a text in which some of the user's stand several times.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/span.hpp"

namespace hpcc::source {

// A line of its own, behind which the lines count from `line` again.
std::string lineMark(uint32_t line);

// True of such a line, perhaps with blanks in front.
bool isLineMark(std::string_view line);

// Which of the user's lines each line of a text is. Without marks they are the same.
//
//     4  double sum = 0;
//     5  sum += a[i + 1, j];
//     6  //# line 5
//     7  sum += a[i, j + 1];        // 5
class LineMarks {
public:
    explicit LineMarks(const Text& text);

    uint32_t userLine(uint32_t line) const;
    bool isEmpty() const { return marks_.empty(); }

private:
    std::vector<std::pair<uint32_t, uint32_t>> marks_;  // line of the text, of the user, ascending
};

// The user's line in which a span begins.
uint32_t userLine(const Span& span);

}  // namespace hpcc::source
