// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/lexer_state.hpp"

#include <algorithm>
#include <cctype>

namespace hpcc::syntax {

using diagnostics::Id;

LexerState::LexerState(const source::Text& text) : content_(text.content()) {
    stream_.text = &text;
    stream_.tokens.reserve(text.size() / 4 + 16);
}

void LexerState::advance(uint32_t length) {
    begin_ = end_;
    end_ += length;
}

void LexerState::token(int kind) {
    Token token;
    token.begin = begin_;
    token.end = end_;
    token.raw = static_cast<uint16_t>(kind);
    token.spaceBefore = spaceBefore_;
    stream_.tokens.push_back(token);
    spaceBefore_ = atLineBegin_ = false;
}

void LexerState::identifier(std::string_view) {
    token(T::IDENT);
    stream_.tokens.back().name = stream_.names.id(span().str());
}

void LexerState::literal(int kind) {
    protect();
    token(kind);
}

void LexerState::unterminated(int kind) {
    error(kind == T::STRING ? Id::UnterminatedString : Id::UnterminatedCharacter, span());
    token(kind);
}

void LexerState::unterminatedComment() {
    error(Id::UnterminatedComment, span());
    space();
}

void LexerState::space() { spaceBefore_ = true; }

void LexerState::newLine() { spaceBefore_ = atLineBegin_ = true; }

void LexerState::comment() {
    protect();
    space();
}

bool LexerState::byteOrderMark() {
    if (begin_ != 0) return false;
    space();
    return true;
}

void LexerState::stray(std::string_view character) {
    const unsigned char c = static_cast<unsigned char>(character.front());
    const bool printable = c >= 0x20 && c < 0x7f;
    error(Id::StrayCharacter, span(),
          {printable ? "'" + std::string(character) + "'"
                     : "character with code " + std::to_string(c)});
    space();
}

void LexerState::error(Id id, source::Span where, std::vector<std::string> arguments) {
    stream_.errors.push_back(
        {id, where, std::move(arguments), static_cast<uint32_t>(stream_.tokens.size()), 0});
}

void LexerState::protect() {
    if (span().str().find('\n') != std::string_view::npos) protected_.push_back({begin_, end_});
}

int LexerState::rawString(std::string_view opening) {
    const std::size_t quote = opening.find('"');
    const std::string closing =
        ")" + std::string(opening.substr(quote + 1, opening.size() - quote - 2)) + "\"";
    const std::size_t found = content_.find(closing, end_);
    if (found == std::string_view::npos) {
        error(Id::UnterminatedRawString, span(), {closing});
        end_ = static_cast<uint32_t>(content_.size());
    } else {
        end_ = static_cast<uint32_t>(found + closing.size());
        while (end_ < content_.size() &&
               (std::isalnum(static_cast<unsigned char>(content_[end_])) || content_[end_] == '_'))
            ++end_;  // user-defined suffix
    }
    literal(T::STRING);
    return static_cast<int>(end_ - begin_);
}

int LexerState::hash() {
    if (!atLineBegin_) {
        error(Id::StrayCharacter, span(), {"'#'"});
        space();
        return static_cast<int>(end_ - begin_);  // '#' or '%:'
    }
    end_ = directiveEnd(end_);
    protected_.push_back({begin_, end_});
    directive();
    space();
    return static_cast<int>(end_ - begin_);
}

// The end of the literal that a quote opens, or just behind the quote if it is not closed on the
// line.
uint32_t LexerState::quotedEnd(uint32_t position) const {
    const char quote = content_[position];
    for (uint32_t i = position + 1; i < content_.size() && content_[i] != '\n'; ++i) {
        if (content_[i] == '\\')
            ++i;
        else if (content_[i] == quote)
            return i + 1;
    }
    return position + 1;
}

// The newline that ends a directive: not one behind a backslash or inside a comment.
uint32_t LexerState::directiveEnd(uint32_t position) const {
    const auto size = static_cast<uint32_t>(content_.size());
    while (position < size && content_[position] != '\n') {
        const std::string_view rest = content_.substr(position);
        if (rest.starts_with("\\\r\n")) {
            position += 3;
        } else if (rest.front() == '\\') {
            position += 2;
        } else if (rest.starts_with("/*")) {
            const std::size_t end = content_.find("*/", position + 2);
            if (end == std::string_view::npos) return size;
            position = static_cast<uint32_t>(end) + 2;
        } else if (rest.starts_with("//")) {
            while (position < size && content_[position] != '\n')
                position += content_[position] == '\\'
                                ? (content_.substr(position + 1, 1) == "\r" ? 3 : 2)
                                : 1;
        } else {
            position =
                rest.front() == '"' || rest.front() == '\'' ? quotedEnd(position) : position + 1;
        }
    }
    return std::min(position, size);
}

void LexerState::directive() {
    std::string_view line = span().str();
    const std::size_t word = line.find_first_of("abcdefghijklmnopqrstuvwxyz\n");
    line = word == std::string_view::npos ? std::string_view() : line.substr(word);
    auto starts = [&](std::string_view keyword) {
        return line.starts_with(keyword) &&
               (line.size() == keyword.size() ||
                !std::isalnum(static_cast<unsigned char>(line[keyword.size()])));
    };
    DirectiveKind kind = DirectiveKind::Other;
    if (starts("if") || starts("ifdef") || starts("ifndef")) kind = DirectiveKind::If;
    if (starts("else") || starts("elif") || starts("elifdef") || starts("elifndef"))
        kind = DirectiveKind::Else;
    if (starts("endif")) kind = DirectiveKind::Endif;
    if (starts("define")) kind = DirectiveKind::Define;
    if (starts("if")) {
        const std::size_t condition = line.find_first_not_of(" \t", 2);
        const std::string_view rest =
            condition == std::string_view::npos ? "" : line.substr(condition);
        const bool zero = rest.starts_with("0") &&
                          (rest.size() == 1 || !std::isalnum(static_cast<unsigned char>(rest[1])));
        if (zero && rest.find("||") == std::string_view::npos) kind = DirectiveKind::IfZero;
    }
    stream_.directives.push_back(
        {kind, static_cast<uint32_t>(stream_.tokens.size()), span(), starts("else")});
}

TokenStream LexerState::finish() {
    begin_ = end_;
    token(T::END);
    stream_.text->setProtectedRanges(std::move(protected_));
    return std::move(stream_);
}

}  // namespace hpcc::syntax
