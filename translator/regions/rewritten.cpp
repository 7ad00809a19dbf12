// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/rewritten.hpp"

#include <algorithm>

#include "source/line_marks.hpp"

namespace hpcc::regions {

uint32_t Rewritten::lineOf(uint32_t offset) const {
    return text_->userLine(text_->position(offset).line);
}

void Rewritten::goTo(uint32_t offset) {
    const uint32_t wanted = lineOf(offset);
    if (wanted == line_) return;
    out_ += '\n' + source::lineMark(wanted);
    line_ = wanted;
}

void Rewritten::copy(source::Span piece) {
    const std::string_view bytes = piece.str();
    if (bytes.find_first_not_of(" \t\r\n") == bytes.npos && bytes.find('\n') == bytes.npos) {
        out_ += bytes;
        return;
    }
    goTo(piece.begin);
    out_ += bytes;
    line_ = lineOf(piece.end);
}

void Rewritten::replace(source::Span piece, std::string_view made) {
    goTo(piece.begin);
    const auto newlines = std::ranges::count(piece.str(), '\n');
    out_ += made;
    out_.append(static_cast<std::size_t>(newlines), '\n');
    line_ += static_cast<uint32_t>(newlines);
}

void Rewritten::startLine(source::Span piece) {
    const source::Position place = text_->position(piece.begin);
    line_ = text_->userLine(place.line);
    out_ += "\n\n" + source::lineMark(line_);
    const std::string_view before = text_->slice(piece.begin - (place.column - 1), piece.begin);
    if (before.find_first_not_of(" \t") == before.npos) out_ += before;
}

}  // namespace hpcc::regions
