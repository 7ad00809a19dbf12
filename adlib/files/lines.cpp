// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/lines.hpp"

#include <algorithm>

namespace hpspmd::detail::files {
namespace {

constexpr Index blockBytes = 1 << 20;
constexpr std::size_t longestLine = 1 << 20;

}  // namespace

bool Lines::next() {
    if (next_ >= std::min(end_, size_)) return false;
    line_ = next_;
    std::size_t at = static_cast<std::size_t>(line_ - (read_ - static_cast<Index>(block_.size())));
    std::size_t feed = block_.find('\n', at);
    while (feed == block_.npos && read_ < size_) {
        if (block_.size() - at > longestLine)
            throw Failure("line " + std::to_string(lineNumber(file_, line_)) +
                          " has more than a million characters");
        block_.erase(0, at);
        at = 0;
        const std::size_t before = block_.size();
        const Index bytes = std::min(blockBytes, size_ - read_);
        block_.resize(before + static_cast<std::size_t>(bytes));
        file_.read(block_.data() + before, bytes, read_);
        read_ += bytes;
        feed = block_.find('\n', before);
    }
    const std::size_t last = std::min(feed, block_.size());
    next_ = line_ + static_cast<Index>(last - at) + 1;
    text_.assign(block_, at, last - at);
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    return true;
}

Index lineNumber(DiskFile& file, Index place) {
    std::string block;
    Index lines = 1;
    for (Index at = 0; at < place; at += static_cast<Index>(block.size())) {
        block.resize(static_cast<std::size_t>(std::min(blockBytes, place - at)));
        file.read(block.data(), static_cast<Index>(block.size()), at);
        lines += std::ranges::count(block, '\n');
    }
    return lines;
}

}  // namespace hpspmd::detail::files
