// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/layout.hpp"

#include <algorithm>

namespace hpcc::emit {
namespace {

constexpr int tabWidth = 8;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// How many blanks `text` begins with.
size_t blanksAtStart(std::string_view text) {
    size_t count = 0;
    while (count < text.size() && isBlank(text[count])) ++count;
    return count;
}

/// Columns taken by the white space in front of `line`.
int indentation(std::string_view line) {
    int columns = 0;
    for (const char c : line) {
        if (c == '\t')
            columns += tabWidth - columns % tabWidth;
        else if (c == ' ')
            ++columns;
        else
            break;
    }
    return columns;
}

/// A brace alone needs no exact line number: no error and no step of a debugger stands there.
bool isOnlyPunctuation(std::string_view part) {
    return part.find_first_not_of("{}();, \t\r") == std::string_view::npos;
}

/// `path` as the contents of a C++ string literal.
std::string escaped(const std::string& path) {
    std::string result;
    for (const char c : path) {
        if (c == '\\' || c == '"') result += '\\';
        result += c;
    }
    return result;
}

}  // namespace

// Room that is not used costs nothing; text that grows is copied to fresh memory each time.
void Layout::expect(size_t bytes) {
    constexpr size_t growth = 8, most = size_t{1} << 26;  // of nests with several fast forms
    text_.reserve(std::min(most, text_.size() + growth * bytes));
    lines_.reserve(std::min(most, lines_.size() + bytes / 4));
}

void Layout::enter(const source::Text& text, uint32_t offset) {
    frames_.push_back({&text, offset, lines_.size() - 1, std::nullopt});
}

// Most subtrees hold no newline and never ask.
int Layout::shift() {
    Frame& frame = frames_.back();
    if (!frame.shift) {
        const std::string_view source = frame.text->line(frame.text->position(frame.offset).line);
        frame.shift = indentation(line(frame.line)) - indentation(source);
    }
    return *frame.shift;
}

void Layout::copyUser(source::Span span) { copy(span, true, 0); }

void Layout::copySchema(source::Span span, uint32_t origin) { copy(span, false, origin); }

void Layout::copy(source::Span span, bool isUser, uint32_t origin) {
    const source::Text& text = *span.text;
    uint32_t begin = span.begin;
    const std::string_view whole = text.slice(begin, span.end);
    if (whole.find('\n') == std::string_view::npos)
        return copyPart(whole, isUser ? position(text, begin) : source::Position{0, 0}, origin);
    bool atLineStart = false;
    while (begin < span.end) {
        const std::string_view rest = text.slice(begin, span.end);
        const auto length = static_cast<uint32_t>(std::min(rest.find('\n'), rest.size()));
        std::string_view part = rest.substr(0, length);
        if (atLineStart) {
            const size_t white = blanksAtStart(part);
            const bool isBlankLine = white == part.size() && begin + length < span.end;
            const bool isDirective = white < part.size() && part[white] == '#';
            if (isBlankLine || isDirective)
                text_ += part.substr(0, white);
            else
                indent(part.substr(0, white));
            part.remove_prefix(white);
        }
        const auto offset = static_cast<uint32_t>(begin + length - part.size());
        if (!part.empty())
            copyPart(part, isUser ? position(text, offset) : source::Position{0, 0}, origin);
        begin += length;
        if (begin == span.end) break;
        const size_t last = part.find_last_not_of('\r');
        const bool spliced = last != std::string_view::npos && part[last] == '\\';
        const bool protectedText = text.isProtected(begin);
        startLine(protectedText || spliced || macroDepth_ > 0);
        atLineStart = !protectedText;
        ++begin;
        // What follows at the very start of the line is not in this span.
        if (begin == span.end && atLineStart) indent({});
    }
}

/// Appends `white`, the white space in front of a line, moved by the shift of the frame.
void Layout::indent(std::string_view white) {
    const int columns = shift();
    if (columns < 0) {
        text_.append(static_cast<size_t>(std::max(0, indentation(white) + columns)), ' ');
    } else {
        text_.append(static_cast<size_t>(columns), ' ');
        text_ += white;
    }
}

// Text comes mostly in order: the line of the last answer is tried first.
source::Position Layout::position(const source::Text& text, uint32_t offset) {
    if (offset < userLineBegin_ || offset >= userLineEnd_) {
        const source::Position found = text.position(offset);
        hasMarks_ = text.hasLineMarks();
        userLine_ = text.userLine(found.line);
        userLineBegin_ = offset - (found.column - 1);
        userLineEnd_ = userLineBegin_ + static_cast<uint32_t>(text.line(found.line).size());
    }
    return {userLine_, offset - userLineBegin_ + 1};
}

void Layout::copyPart(std::string_view part, source::Position position, uint32_t origin) {
    Line& line = lines_.back();
    const uint32_t user = position.line;
    const size_t white = blanksAtStart(part);
    if (white == part.size()) {
        text_ += part;
        return;
    }
    if (user != 0) {
        const bool elsewhere = line.user != 0 && line.user != user;
        if (elsewhere && macroDepth_ == 0 && !line.inside) {
            part.remove_prefix(white);
            breakLine();
            startAtColumn(position.column + white - 1);
        }
        if (lines_.back().user == 0) lines_.back().user = user;
    } else if (line.schema == 0 && origin != 0 && !isOnlyPunctuation(part)) {
        line.schema = origin;
    }
    text_ += part;
}

void Layout::startStatement(int indent) {
    if (!lineIsBlank()) breakLine();
    startAtColumn(static_cast<size_t>(indent));
}

int Layout::statementIndent() const { return lineIndent() + (lineIsBlank() ? 0 : 4); }

void Layout::startLine(bool inside) {
    text_ += '\n';
    lines_.push_back({text_.size(), 0, 0, inside});
}

void Layout::breakLine() {
    const size_t begin = lines_.back().begin;
    while (text_.size() > begin && isBlank(text_.back())) text_.pop_back();
    startLine(macroDepth_ > 0);
}

/// Replaces the text of the last line, which is blank.
void Layout::startAtColumn(size_t column) {
    text_.resize(lines_.back().begin);
    text_.append(column, ' ');
}

std::string_view Layout::line(size_t number) const {
    if (number + 1 == lines_.size()) return lastLine();
    const size_t begin = lines_[number].begin;
    return std::string_view(text_).substr(begin, lines_[number + 1].begin - 1 - begin);
}

bool Layout::lineIsBlank() const { return blanksAtStart(lastLine()) == lastLine().size(); }

int Layout::lineIndent() const { return indentation(lastLine()); }

std::string Layout::text(std::span<const Layout* const> layouts) {
    size_t size = 0;
    for (const Layout* layout : layouts) size += layout->text_.size();
    std::string result;
    result.reserve(size);
    for (const Layout* layout : layouts) layout->addLines(result);
    return result;
}

std::string Layout::text(std::span<const Layout* const> layouts, const std::string& path) {
    constexpr size_t directive = 16;  // "#line 1234567890" at most
    size_t size = path.size() + directive;
    for (const Layout* layout : layouts)
        size += layout->text_.size() + layout->lines_.size() * directive;
    std::string result;
    result.reserve(size);
    result += "#line 1 \"" + escaped(path) + "\"\n";
    uint32_t number = 0;
    for (const Layout* layout : layouts) layout->addNumbered(result, number);
    return result;
}

void Layout::addLines(std::string& text) const {
    if (!hasMarks_) {
        text += text_;
        return;
    }
    for (size_t k = 0; k < lines_.size(); ++k) {
        if (source::lineMarked(line(k))) continue;
        if (k > 0) text += '\n';
        text += line(k);
    }
}

/// `number` is that of the line that `text` ends in, 0 if it holds none.
void Layout::addNumbered(std::string& text, uint32_t& number) const {
    for (size_t k = 0; k < lines_.size(); ++k) {
        if (hasMarks_ && source::lineMarked(this->line(k))) continue;
        const Line& line = lines_[k];
        const bool starts = k > 0 || number == 0;
        if (k > 0) text += '\n';
        if (starts) ++number;
        const uint32_t wanted = line.user != 0 ? line.user : line.schema;
        if (starts && wanted != 0 && wanted != number && !line.inside) {
            text += "#line ";
            text += std::to_string(wanted);
            text += '\n';
            number = wanted;
        }
        text += this->line(k);
    }
}

}  // namespace hpcc::emit
