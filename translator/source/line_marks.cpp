// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/line_marks.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hpcc::source {
namespace {

constexpr std::string_view mark = "\n//# line ";

}  // namespace

std::string lineMark(uint32_t line) {
    return std::string(mark.substr(1)) + std::to_string(line) + '\n';
}

bool isLineMark(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    return begin != line.npos && line.substr(begin).starts_with(mark.substr(1));
}

LineMarks::LineMarks(const Text& text) {
    const std::string_view content = text.content();
    for (std::size_t at = content.find(mark); at != content.npos; at = content.find(mark, at + 1)) {
        const std::string_view digits = content.substr(at + mark.size());
        uint32_t line = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), line);
        marks_.emplace_back(text.position(static_cast<uint32_t>(at) + 1).line + 1, line);
    }
}

uint32_t LineMarks::userLine(uint32_t line) const {
    const auto next =
        std::ranges::upper_bound(marks_, line, {}, &decltype(marks_)::value_type::first);
    if (next == marks_.begin()) return line;
    return (next - 1)->second + (line - (next - 1)->first);
}

// The marks of the text that was asked for last are kept: a text with many nests is asked for each.
uint32_t userLine(const Span& span) {
    thread_local const char* content = nullptr;
    thread_local std::size_t size = 0;
    thread_local std::optional<LineMarks> marks;
    const std::string_view own = span.text->content();
    if (!marks || content != own.data() || size != own.size()) {
        marks.emplace(*span.text);
        content = own.data();
        size = own.size();
    }
    return marks->userLine(span.position().line);
}

}  // namespace hpcc::source
