// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens: the whole file as one vector, open to look-ahead of any length.
#pragma once

#include "diagnostics/engine.hpp"
#include "source/span.hpp"
#include "syntax/names.hpp"
#include "syntax/parser.hpp"

#include <string_view>
#include <vector>

namespace hpcc::syntax {

using T = Parser::token;  // T::IDENT, T::OVERALL ..

// What a '{' opens.
enum class Brace : uint8_t { Unknown, Block, Class, Namespace, Initializer, Enumerators };

struct Token {
    uint32_t begin = 0;
    uint32_t end = 0;
    int32_t match = -1;        // the bracket that closes or opens this one, as a token index
    NameId name = noName;      // of an identifier
    uint16_t raw = 0;          // what the lexer and the bracket pass saw; never changes afterwards
    uint16_t role = 0;         // what the filter found it to be; 0: the same as raw
    bool spaceBefore = false;  // white space, a comment or a directive stands before it
    bool dead = false;  // attribute, skipped #if branch: invisible to the parser, kept in the text
    Brace brace = Brace::Unknown;
    uint8_t marks = 0;  // Mark bits
};

// Facts that the filter notes on tokens further on.
enum Mark : uint8_t {
    startsDeclaration = 1,  // a DECL marker goes before it
    startsType = 2,         // a TYPE marker goes before it
    endsHead = 4,           // a statement starts behind it
    afterNew = 8,           // a '[[' that holds the extents of new T [[..]]
    lambdaBody = 16,        // a '{'
};

enum class DirectiveKind : uint8_t { If, IfZero, Else, Endif, Define, Other };

struct Directive {
    DirectiveKind kind;
    uint32_t token;  // index of the token behind it
    source::Span span;
    bool isElse = false;  // of the kind Else: without a condition
};

// An error of the lexer or of the bracket pass. Whether it is reported is known only when the file
// has been read: dead branches and texts without extensions are left to the C++ compiler.
struct EarlyError {
    diagnostics::Id id;
    source::Span span;
    std::vector<std::string> arguments;
    uint32_t token = 0;  // index of the token behind it
    uint32_t end = 0;    // how far its damage reaches, if it is known; else 0
};

// A body with lines of the preprocessor before it, or in branches of an #if of which exactly one
// will be there: the bracket pass puts braces round it, which take no room in the text.
struct BranchedBody {
    uint32_t first, behind;  // tokens; the directives stand before both
    uint32_t begin, end;     // bytes: from the start of the first line to the end of #endif
};

// What the lexer makes of a text. The last token is END.
struct TokenStream {
    const source::Text* text = nullptr;
    std::vector<Token> tokens;
    std::vector<Directive> directives;
    std::vector<EarlyError> errors;
    std::vector<BranchedBody> bodies;  // by `first`, the outer before the inner
    Names names;
    std::vector<std::vector<Token>>
        attributes;  // tokens of the [[hpspmd::..]] groups, brackets excluded

    std::string_view textOf(int token) const {
        return text->slice(tokens[token].begin, tokens[token].end);
    }
    source::Span spanOf(int token) const { return {text, tokens[token].begin, tokens[token].end}; }
};

}  // namespace hpcc::syntax
