#include "emit/layout.hpp"

#include <algorithm>

namespace hpcc::emit {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr int tabWidth = 8;

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

/// `white`, the white space in front of a line, moved by `shift` columns; untouched when shift is
/// 0.
std::string shifted(std::string_view white, int shift) {
    if (shift == 0) return std::string(white);
    if (shift > 0) return std::string(static_cast<size_t>(shift), ' ') + std::string(white);
    return std::string(static_cast<size_t>(std::max(0, indentation(white) + shift)), ' ');
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

void Layout::enter(const source::Text& text, uint32_t offset) {
    frames_.push_back({&text, offset, lines_.size() - 1, std::nullopt});
}

// Most subtrees hold no newline and never ask.
int Layout::shift() {
    Frame& frame = frames_.back();
    if (!frame.shift) {
        const std::string_view line = frame.text->line(frame.text->position(frame.offset).line);
        frame.shift = indentation(lines_[frame.line].text) - indentation(line);
    }
    return *frame.shift;
}

void Layout::copyUser(source::Span span) { copy(span, true, 0); }

void Layout::copySchema(source::Span span, uint32_t origin) { copy(span, false, origin); }

void Layout::copy(source::Span span, bool isUser, uint32_t origin) {
    const source::Text& text = *span.text;
    uint32_t begin = span.begin;
    bool atLineStart = false;
    while (begin < span.end) {
        const std::string_view rest = text.slice(begin, span.end);
        const auto length = static_cast<uint32_t>(std::min(rest.find('\n'), rest.size()));
        std::string_view part = rest.substr(0, length);
        if (atLineStart) {
            const size_t white = std::min(part.find_first_not_of(blanks), part.size());
            const bool isBlankLine = white == part.size() && begin + length < span.end;
            const std::string_view front = part.substr(0, white);
            const bool isDirective = white < part.size() && part[white] == '#';
            const bool stays = isBlankLine || isDirective;
            lines_.back().text += stays ? std::string(front) : shifted(front, shift());
            part.remove_prefix(white);
        }
        const auto offset = static_cast<uint32_t>(begin + length - part.size());
        if (!part.empty())
            copyPart(part, isUser ? position(text, offset) : source::Position{0, 0}, origin);
        begin += length;
        if (begin == span.end) break;
        const bool spliced = part.find_last_not_of("\r") != std::string_view::npos &&
                             part[part.find_last_not_of("\r")] == '\\';
        const bool protectedText = text.isProtected(begin);
        startLine(protectedText || spliced || macroDepth_ > 0);
        atLineStart = !protectedText;
        ++begin;
    }
}

// Text comes mostly in order: the line of the last answer, or the next, is tried first.
source::Position Layout::position(const source::Text& text, uint32_t offset) {
    const auto lies = [&](std::string_view line) {
        return line.data() && offset >= line.data() - text.content().data() &&
               offset < line.data() - text.content().data() + line.size();
    };
    std::string_view line = text.line(lastLine_);
    if (!lies(line)) {
        lastLine_ = text.position(offset).line;
        line = text.line(lastLine_);
    }
    const auto begin = static_cast<uint32_t>(line.data() - text.content().data());
    return {lastLine_, offset - begin + 1};
}

void Layout::copyPart(std::string_view part, source::Position position, uint32_t origin) {
    const uint32_t user = position.line;
    const size_t white = part.find_first_not_of(blanks);
    if (white == std::string_view::npos) {
        lines_.back().text += part;
        return;
    }
    if (user != 0) {
        const bool elsewhere = lines_.back().user != 0 && lines_.back().user != user;
        if (elsewhere && macroDepth_ == 0 && !lines_.back().inside) {
            part.remove_prefix(white);
            breakLine();
            lines_.back().text.assign(position.column + white - 1, ' ');
        }
        if (lines_.back().user == 0) lines_.back().user = user;
    } else if (lines_.back().schema == 0 && !isOnlyPunctuation(part)) {
        lines_.back().schema = origin;
    }
    lines_.back().text += part;
}

void Layout::startStatement(int indent) {
    if (!lineIsBlank()) breakLine();
    lines_.back().text.assign(static_cast<size_t>(indent), ' ');
}

int Layout::statementIndent() const { return lineIndent() + (lineIsBlank() ? 0 : 4); }

void Layout::startLine(bool inside) {
    lines_.push_back({});
    lines_.back().inside = inside;
}

void Layout::breakLine() {
    std::string& text = lines_.back().text;
    const size_t last = text.find_last_not_of(blanks);
    text.resize(last == std::string::npos ? 0 : last + 1);
    startLine(macroDepth_ > 0);
}

bool Layout::lineIsBlank() const {
    return lines_.back().text.find_first_not_of(blanks) == std::string::npos;
}

int Layout::lineIndent() const { return indentation(lines_.back().text); }

std::string Layout::text() const {
    std::string result;
    for (const Line& line : lines_) {
        if (&line != &lines_.front()) result += '\n';
        result += line.text;
    }
    return result;
}

std::string Layout::text(const std::string& path) const {
    std::string result = "#line 1 \"" + escaped(path) + "\"\n";
    uint32_t number = 1;
    for (const Line& line : lines_) {
        if (&line != &lines_.front()) result += '\n';
        const uint32_t wanted = line.user != 0 ? line.user : line.schema;
        if (wanted != 0 && wanted != number && !line.inside) {
            result += "#line " + std::to_string(wanted) + '\n';
            number = wanted;
        }
        result += line.text;
        ++number;
    }
    return result;
}

}  // namespace hpcc::emit
