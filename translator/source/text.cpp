// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text.hpp"

#include <algorithm>

#include "source/file.hpp"
#include "source/line_marks.hpp"

namespace hpcc::source {

Text::Text(std::string path, std::string content, const Text* user)
    : path_(std::move(path)), content_(std::move(content)), user_(user), lineBegins_{0} {
    for (std::size_t end = content_.find('\n'); end != content_.npos;
         end = content_.find('\n', end + 1))
        lineBegins_.push_back(static_cast<uint32_t>(end + 1));
    for (uint32_t number = 1; number <= lineCount(); ++number)
        if (const auto marked = lineMarked(line(number)))
            lineMarks_.emplace_back(number + 1, *marked);
}

Position Text::position(uint32_t offset) const {
    offset = std::min(offset, size());
    const auto next = std::upper_bound(lineBegins_.begin(), lineBegins_.end(), offset);
    const auto line = static_cast<uint32_t>(next - lineBegins_.begin());
    return {line, offset - lineBegins_[line - 1] + 1};
}

std::string_view Text::line(uint32_t number) const {
    if (number == 0 || number > lineCount()) return {};
    const uint32_t begin = lineBegins_[number - 1];
    uint32_t end = number < lineCount() ? lineBegins_[number] - 1 : size();
    if (end > begin && content_[end - 1] == '\r') --end;
    return slice(begin, end);
}

uint32_t Text::userLine(uint32_t line) const {
    const auto next =
        std::ranges::upper_bound(lineMarks_, line, {}, &decltype(lineMarks_)::value_type::first);
    if (next == lineMarks_.begin()) return line;
    return (next - 1)->second + (line - (next - 1)->first);
}

void Text::setProtectedRanges(std::vector<ByteRange> ranges) const {
    protectedRanges_ = std::move(ranges);
}

bool Text::isProtected(uint32_t offset) const {
    auto next = std::upper_bound(protectedRanges_.begin(), protectedRanges_.end(), offset,
                                 [](uint32_t o, const ByteRange& r) { return o < r.begin; });
    if (next == protectedRanges_.begin()) return false;
    --next;
    return next->begin < offset && offset < next->end;
}

std::unique_ptr<Text> readFile(const std::string& path) {
    Content content = readContent(path);
    if (!content.problem.empty()) return nullptr;
    return std::make_unique<Text>(path, std::move(content.bytes));
}

}  // namespace hpcc::source
