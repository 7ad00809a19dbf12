// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lexer, #if branches and bracket pass: whatever the bytes, tokens lie in order in the text and
// brackets are paired both ways.
#include "syntax/lexer.hpp"
#include "harness.hpp"
#include "syntax/brackets.hpp"
#include "syntax/branches.hpp"
#include "syntax/parse.hpp"

namespace hpcc::fuzz {
namespace {

void requireInside(const source::Span& span, const source::Text& text) {
    require(span.text == &text && span.begin <= span.end && span.end <= text.size(),
            "what the lexer notes lies inside the text");
}

void requireOrdered(const syntax::TokenStream& stream) {
    const auto count = static_cast<int>(stream.tokens.size());
    uint32_t position = 0;
    for (int i = 0; i < count; ++i) {
        const syntax::Token& token = stream.tokens[i];
        require(token.begin >= position && token.end >= token.begin, "tokens stand in order");
        require(token.end <= stream.text->size(), "tokens lie inside the text");
        // The bracket pass sets braces without a length round branches of #if that are bodies.
        require(i + 1 == count || token.end > token.begin || token.match >= 0,
                "tokens have a length");
        position = token.end;
        const bool isBracket = token.match >= 0 && token.raw != syntax::T::HPSPMD_ATTRIBUTE;
        if (!isBracket) continue;
        require(token.match < count && token.match != i, "brackets are paired");
        require(stream.tokens[token.match].match == i, "brackets are paired both ways");
    }
}

}  // namespace

const Mix mix{0, 7};  // a finding of the parser would not be run by this fuzzer

Reached examine(const std::string& input) {
    const source::Text text("input.hpcpp", input);
    if (input.find('\0') != std::string::npos) return Reached::Tokens;  // parse() ends before lex()
    syntax::TokenStream stream = syntax::lex(text);
    for (const syntax::Directive& directive : stream.directives) {
        requireInside(directive.span, text);
        require(directive.token < stream.tokens.size(), "directives stand before tokens");
    }
    const std::vector<syntax::Directive> skipped = syntax::markDeadBranches(stream);
    syntax::pairBrackets(stream);
    requireOrdered(stream);
    for (const syntax::EarlyError& error : stream.errors) requireInside(error.span, text);
    require(skipped.size() <= stream.directives.size(), "directives are skipped once");
    return Reached::Tokens;
}

}  // namespace hpcc::fuzz
