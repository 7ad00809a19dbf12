// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "source/line_marks.hpp"
#include "source/span.hpp"

namespace hpcc::emit {

/// The output while it grows: lines of text, each with the line of the user's file that it belongs
/// to.
///
/// Two kinds of text are copied. The user's own text knows its line. Schema text (what a pass
/// wrote) stands for the construct it was made from: `origin` is that construct's line in the
/// user's file.
class Layout {
public:
    /// Makes room for what so many bytes of source may become.
    void expect(size_t bytes);

    /// A subtree that moved starts at `offset` of `text`: until leave(), its lines are indented by
    /// the difference between the indentation of the output line and that of its source line.
    void enter(const source::Text& text, uint32_t offset);
    void leave() { frames_.pop_back(); }

    /// Appends bytes of the user's file. A token whose line differs from that of the tokens before
    /// it on the output line starts a new one, at its old column.
    void copyUser(source::Span span);

    /// Appends bytes of a schema or of a made-up leaf.
    void copySchema(source::Span span, uint32_t origin);

    /// Starts a statement of a sequence: on a line of its own, indented by `indent`.
    void startStatement(int indent);
    /// The indentation of statements of a sequence that starts here.
    int statementIndent() const;

    /// Between these no `#line` may stand and no line is broken: the arguments of a macro.
    void enterMacro() { ++macroDepth_; }
    void leaveMacro() { --macroDepth_; }

    /// The line of a place in the user's file.
    uint32_t lineOf(const source::Text& text, uint32_t offset) {
        return position(text, offset).line;
    }

    /// The text of several, each of which goes on behind the one before with a newline.
    static std::string text(std::span<const Layout* const> layouts);
    /// The same, with a `#line` before the lines whose number would be wrong.
    static std::string text(std::span<const Layout* const> layouts, const std::string& path);

private:
    struct Line {
        size_t begin;         // in text_
        uint32_t user = 0;    // line of its first token of the user, 0: none
        uint32_t schema = 0;  // line of the construct of its first schema token, 0: none
        bool inside =
            false;  // starts inside a token or a macro's arguments: nothing may precede it
    };

    /// A moved subtree: where it starts in its text and in the output, and by how many columns its
    /// further lines move (computed when the first one comes).
    struct Frame {
        const source::Text* text;
        uint32_t offset;
        size_t line;
        std::optional<int> shift;
    };

    void copy(source::Span span, bool isUser, uint32_t origin);
    void copyPart(std::string_view part, source::Position position, uint32_t origin);
    void indent(std::string_view white);
    source::Position position(const source::Text& text, uint32_t offset);
    int shift();
    void startLine(bool inside);
    void breakLine();
    void startAtColumn(size_t column);
    std::string_view line(size_t number) const;
    std::string_view lastLine() const {
        return std::string_view(text_).substr(lines_.back().begin);
    }
    /// All lines but marks, which only said what the lines behind them are.
    void addLines(std::string& text) const;
    void addNumbered(std::string& text, uint32_t& number) const;
    bool lineIsBlank() const;
    int lineIndent() const;

    std::string text_;
    std::vector<Line> lines_{{0}};
    std::vector<Frame> frames_{{nullptr, 0, 0, 0}};
    bool hasMarks_ = false;  // the user's file has
    // The line of it that was asked for last.
    uint32_t userLine_ = 1;
    uint32_t userLineBegin_ = 0;
    uint32_t userLineEnd_ = 0;
    int macroDepth_ = 0;
};

}  // namespace hpcc::emit
