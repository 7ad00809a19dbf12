// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/line_marks.hpp"

#include <algorithm>
#include <charconv>

namespace hpcc::source {
namespace {

constexpr std::string_view mark = "//# line ";

}  // namespace

std::string lineMark(uint32_t line) { return std::string(mark) + std::to_string(line) + '\n'; }

std::optional<uint32_t> lineMarked(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with(mark)) return std::nullopt;
    line.remove_prefix(mark.size());
    uint32_t marked = 0;
    std::from_chars(line.data(), line.data() + line.size(), marked);
    return marked;
}

uint32_t userLine(const Span& span) { return span.text->userLine(span.position().line); }

}  // namespace hpcc::source
