// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scanner's actions do: collect tokens, directives and early errors.
#pragma once

#include "syntax/lexer.hpp"

namespace hpcc::syntax {

class LexerState {
public:
    explicit LexerState(const source::Text& text);

    void advance(uint32_t length);  // called before each action
    void token(int kind);
    void identifier(std::string_view name);
    void literal(int kind);  // a token that may hold newlines
    void unterminated(int kind);
    void unterminatedComment();
    void space();
    void newLine();
    void comment();
    bool byteOrderMark();  // true if it stands at the beginning of the text, as trivia
    void stray(std::string_view character);

    // Both return the length of the whole token, of which the pattern matched only the beginning.
    int hash();
    int rawString(std::string_view opening);

    TokenStream finish();

private:
    source::Span span() const { return {stream_.text, begin_, end_}; }
    void error(diagnostics::Id id, source::Span where, std::vector<std::string> arguments = {});
    void protect();  // the current token, if it holds a newline
    uint32_t directiveEnd(uint32_t position) const;
    uint32_t quotedEnd(uint32_t position) const;
    void directive();

    TokenStream stream_;
    std::vector<source::ByteRange> protected_;
    std::string_view content_;
    uint32_t begin_ = 0;  // of the current token
    uint32_t end_ = 0;
    bool spaceBefore_ = true;
    bool atLineBegin_ = true;  // only white space and comments so far on this line
};

}  // namespace hpcc::syntax
