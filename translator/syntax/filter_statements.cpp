// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filter: what starts inside a function body.
#include "syntax/filter.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

std::optional<Delivery> Filter::startStatement(int i) {
    scopes_.back().statement = i;
    scopes_.back().parentheses = 0;
    scopes_.back().endsDo = endsDo(i);
    static constexpr TokenSet others{T::IF,        T::SEMICOLON,    T::END,    T::ELSE,   T::DO,
                                     T::TRY,       T::CATCH,        T::RETURN, T::GOTO,   T::BREAK,
                                     T::CONTINUE,  T::THROW,        T::WHILE,  T::SWITCH, T::FOR,
                                     T::NAMESPACE, T::STATIC_ASSERT};
    if (others.contains(raw(i))) return std::nullopt;
    switch (raw(i)) {
    case T::LBRACE:
        token(i).brace = Brace::Block;
        return std::nullopt;
    case T::CASE:
        markCaseColon(i);
        return std::nullopt;
    case T::DEFAULT:
        token(nextOf(i)).marks |= endsHead;
        return std::nullopt;
    case T::ASM:
        atStart_ = true;
        return opaque(T::OPAQUE_STATEMENT, i, scan_.statementEnd(i));
    case T::USING:
        markAlias(i);
        return std::nullopt;
    case T::HPSPMD_ATTRIBUTE:
        sawExtension_ = atStart_ = true;
        return collapsed(T::HPSPMD_ATTRIBUTE, i, i + 1);
    case T::IDENT:
        position_ = scan_.constructBehindMacros(i);
        kill(i, position_);
        i = position_;
        if (raw(nextOf(i)) == T::COLON) {  // label
            token(nextOf(i)).marks |= endsHead;
            return std::nullopt;
        }
        if (auto named = startNamedStatement(i)) return named;
        if (token(i).role != 0) return std::nullopt;
        break;
    }
    i = skipLeadingMacros(i);
    position_ = i;
    if (!scan_.isDeclaration(i, HeadPart::None)) return std::nullopt;
    prepareClass(i);
    classifyDeclaration(i, false);
    return plain(T::DECLARATION, i);
}

// The `while (..);` of a do statement is not a statement of its own.
bool Filter::endsDo(int i) {
    int& open = scopes_.back().openDos;
    const int paren = nextOf(i);
    if (raw(i) != T::WHILE || open == 0 || !scan_.matched(paren, T::LPAREN)) return false;
    if (raw(scan_.behind(paren)) != T::SEMICOLON) return false;
    --open;
    return true;
}

// on, at, overall; a macro that controls a statement.
std::optional<Delivery> Filter::startNamedStatement(int i) {
    if (scan_.isAt(i))
        token(i).role = T::AT;
    else if (scan_.isOn(i))
        token(i).role = T::ON;
    else if (scan_.isOverall(i))
        token(i).role = T::OVERALL;
    if (token(i).role != 0) {
        sawExtension_ = true;
        return std::nullopt;
    }
    if (scan_.isOnWithoutParentheses(i)) {
        const int group = nextOf(i);
        sawExtension_ = atStart_ = true;
        errors_.report(diagnostics::Id::OnNeedsParentheses, stream_.spanOf(group),
                       scan_.text(group));
        return collapsed(T::OPAQUE_STATEMENT, i, scan_.match(nextOf(group)) + 1);
    }
    const int head = scan_.macroHeadEnd(i);
    if (head >= 0 && scan_.name(i) <= wordAt && sawExtension_) {  // at (x[3]) { S }
        errors_.report(scan_.name(i) == wordAt ? diagnostics::Id::AtNeedsHeader
                                               : diagnostics::Id::OverallNeedsHeader,
                       stream_.spanOf(nextOf(i)));
        atStart_ = true;
        return collapsed(T::OPAQUE_STATEMENT, i, scan_.statementEnd(nextOf(head)));
    }
    if (head < 0 || scan_.holdsExtension(i, head)) return std::nullopt;
    atStart_ = true;
    return collapsed(T::MACRO_HEAD, i, head + 1);
}

void Filter::markAlias(int i) {
    const int assign = nextOf(nextOf(i));
    if (raw(assign) == T::ASSIGN) markType(nextOf(assign));
}

// The ':' of "case c ? a : b:" is the one that pairs with no '?'.
void Filter::markCaseColon(int i) {
    int conditionals = 0;
    for (i = nextOf(i); raw(i) != T::END && raw(i) != T::SEMICOLON && !scan_.isCloser(i);
         i = nextOf(i)) {
        if (scan_.isOpener(i)) {
            i = scan_.match(i);
        } else if (raw(i) == T::QUESTION) {
            ++conditionals;
        } else if (raw(i) == T::COLON && conditionals-- == 0) {
            token(i).marks |= endsHead;
            return;
        }
    }
}

// The parentheses of if, for, while, switch, on: a statement follows; each part may be a
// declaration.
void Filter::markHead(int paren, bool mayDeclare) {
    const int close = scan_.match(paren);
    token(paren).role = T::LPAREN;
    if (close < 0) return;
    token(close).marks |= endsHead;
    if (!mayDeclare) return;
    HeadPart part = HeadPart::First;
    for (int i = nextOf(paren); i < close; i = nextOf(i), part = HeadPart::Later) {
        if (raw(i) != T::SEMICOLON && scan_.isDeclaration(i, part)) {
            token(i).marks |= startsDeclaration;
            prepareClass(i);
            classifyDeclaration(i, false);
        }
        while (i < close && raw(i) != T::SEMICOLON)
            i = scan_.isOpener(i) ? scan_.behind(i) : nextOf(i);
    }
}

// Declares the indices of overall (i = x for .., j = y for ..).
void Filter::markOverallHeaders(int paren) {
    const int close = scan_.match(paren);
    token(paren).role = T::LPAREN;
    if (close < 0) return;
    bool first = true;
    for (int i = nextOf(paren); i < close; i = nextOf(i)) {
        if (first && raw(i) == T::IDENT && raw(nextOf(i)) == T::ASSIGN)
            names_.declare(scan_.name(i), NameKind::Parallel);
        first = raw(i) == T::COMMA;
        if (scan_.isOpener(i)) i = scan_.match(i);
    }
}

}  // namespace hpcc::syntax
