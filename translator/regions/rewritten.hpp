// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "source/span.hpp"

namespace hpcc::regions {

// A text made from pieces of another one, some of them several times. Marks (source/line_marks.hpp)
// keep the numbers of the user's lines.
class Rewritten {
public:
    explicit Rewritten(const source::Text& text) : text_(&text) {}

    // The bytes of a piece as they are.
    void copy(source::Span piece);
    // Something else in its place.
    void replace(source::Span piece, std::string_view made);
    // What stands nowhere in the text, without newlines.
    void add(std::string_view made) { out_ += made; }
    // A piece of this text as it is; one that a pass has made, too.
    void takeOver(source::Span piece) { piece.text == text_ ? copy(piece) : add(piece.str()); }
    bool isOwn(source::Span piece) const { return piece.text == text_; }
    // A line that begins as that of the piece does.
    void startLine(source::Span piece);

    std::string take() { return std::move(out_); }

private:
    uint32_t lineOf(uint32_t offset) const;
    void goTo(uint32_t offset);

    const source::Text* text_;
    std::string out_;
    uint32_t line_ = 1;  // of the user, in which the text ends so far
};

}  // namespace hpcc::regions
