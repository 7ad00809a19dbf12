// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source text: a file or a schema, with its line table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hpcc::source {

// Line and column both count from 1; the column counts bytes.
struct Position {
    uint32_t line;
    uint32_t column;
};

// Bytes [begin, end) that nothing may re-indent: tokens and comments that contain newlines.
struct ByteRange {
    uint32_t begin;
    uint32_t end;
};

// Immutable and never moved, so that spans may point to it for as long as the compilation lasts.
class Text {
public:
    // A text that hpcc has written from one of the user's may name that one.
    Text(std::string path, std::string content, const Text* user = nullptr);
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;

    const std::string& path() const { return path_; }  // as given by the user
    const Text* user() const { return user_; }         // null: it is the user's
    std::string_view content() const { return content_; }
    uint32_t size() const { return static_cast<uint32_t>(content_.size()); }
    uint32_t lineCount() const { return static_cast<uint32_t>(lineBegins_.size()); }

    Position position(uint32_t offset) const;      // O(log lines)
    std::string_view line(uint32_t number) const;  // without its newline; "" beyond the end
    std::string_view slice(uint32_t begin, uint32_t end) const {
        if (begin >= size() || end <= begin) return {};
        return content().substr(begin, end - begin);
    }

    // The user's line that a line stands for; without line marks (line_marks.hpp) the same.
    uint32_t userLine(uint32_t line) const;
    bool hasLineMarks() const { return !lineMarks_.empty(); }

    // The lexer notes the protected ranges, in ascending order, when the text is first parsed.
    void setProtectedRanges(std::vector<ByteRange> ranges) const;
    const std::vector<ByteRange>& protectedRanges() const { return protectedRanges_; }
    bool isProtected(uint32_t offset) const;  // strictly inside such a range

private:
    std::string path_;
    std::string content_;
    const Text* user_;
    std::vector<uint32_t> lineBegins_;
    std::vector<std::pair<uint32_t, uint32_t>>
        lineMarks_;  // line here, line of the user, ascending
    mutable std::vector<ByteRange> protectedRanges_;
};

// Reads a file; null if it cannot be read.
std::unique_ptr<Text> readFile(const std::string& path);

}  // namespace hpcc::source
