// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scanner: the contextual words on, at, overall; what involves HPspmd.
#include "syntax/scanner.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

bool Scanner::atStatementStart(int i) const {
    static constexpr TokenSet ends{-1,      T::SEMICOLON, T::LBRACE, T::RBRACE,          T::RPAREN,
                                   T::ELSE, T::DO,        T::COLON,  T::HPSPMD_ATTRIBUTE};
    return ends.contains(raw(previous(i)));
}

bool Scanner::startsStatement(int i) const {
    static constexpr TokenSet starts{
        T::LBRACE,          T::IDENT,         T::IF,    T::FOR,      T::WHILE,    T::DO,
        T::SWITCH,          T::RETURN,        T::TRY,   T::BREAK,    T::CONTINUE, T::GOTO,
        T::THROW,           T::BUILTIN,       T::CV,    T::STORAGE,  T::AUTO,     T::INCREMENT,
        T::KEYWORD_LITERAL, T::DELETE,        T::NEW,   T::NUMBER,   T::STRING,   T::CHARACTER,
        T::CLASS_KEY,       T::ENUM,          T::USING, T::TYPENAME, T::DECLTYPE, T::NAMED_CAST,
        T::SIZEOF,          T::STATIC_ASSERT, T::SCOPE};
    return starts.contains(raw(i));
}

bool Scanner::isOn(int i) const {
    const int paren = next(i);
    if (name(i) != wordOn || !atStatementStart(i) || !matched(paren, T::LPAREN)) return false;
    const int after = behind(paren);
    if (startsStatement(after)) return true;
    // `on (p) ;` and `on (p) (void)k;`, but not `on(p);` and `on(p)[k] = 3;`, nor where a variable
    // or function has the name
    if (!token(after).spaceBefore || names_.kind(wordOn) != NameKind::Unknown) return false;
    return raw(after) == T::SEMICOLON || (mayStartStatement(after) && token(paren).spaceBefore);
}

bool Scanner::mayStartStatement(int i) const {
    static constexpr TokenSet starts{T::LPAREN, T::LBRACKET, T::STAR,   T::AMP,      T::PLUS_MINUS,
                                     T::TILDE,  T::BANG,     T::TYPEID, T::CO_AWAIT, T::NOEXCEPT};
    return starts.contains(raw(i));
}

// A ';' in the braces tells it from a variable g of a type on.
bool Scanner::isOnWithoutParentheses(int i) const {
    const int brace = next(next(i));
    if (name(i) != wordOn || raw(next(i)) != T::IDENT || !matched(brace, T::LBRACE)) return false;
    if (next(brace) == match(brace))
        return raw(behind(brace)) != T::SEMICOLON && raw(behind(brace)) != T::COMMA;
    for (int j = next(brace); j < match(brace); j = next(j)) {
        if (raw(j) == T::SEMICOLON) return true;
        if (isOpener(j)) j = match(j);
    }
    return false;
}

bool Scanner::isAt(int i) const {
    if (name(i) != wordAt || !atStatementStart(i) || raw(next(i)) != T::LPAREN) return false;
    const int index = next(next(i));
    return raw(index) == T::IDENT && raw(next(index)) == T::ASSIGN;
}

bool Scanner::hasFor(int paren) const {
    for (int i = next(paren); i < match(paren); i = next(i)) {
        if (raw(i) == T::FOR) return true;
        if (isOpener(i)) i = match(i);
    }
    return false;
}

// Also a damaged one, so that it gets a message of its own: overall (i = x :) S
bool Scanner::isOverall(int i) const {
    if (name(i) != wordOverall || !atStatementStart(i) || raw(next(i)) != T::LPAREN) return false;
    const int paren = next(i);
    if (match(paren) < 0) return true;
    if (hasFor(paren)) return true;
    const int index = next(paren);
    return raw(index) == T::IDENT && raw(next(index)) == T::ASSIGN &&
           startsStatement(behind(paren));
}

int Scanner::constructBehindMacros(int i) const {
    const auto isWord = [&](int j) { return name(j) >= 0 && name(j) <= wordOn; };
    constexpr int most = 2;  // more words are prose, behind a comment that is never closed
    int j = i;
    for (int words = 0; raw(j) == T::IDENT && !isWord(j) && words < most; j = next(j), ++words)
        if (raw(next(j)) == T::IDENT && name(next(j)) == wordOn && !isMacroName(j)) return i;
    if (j == i || !isWord(j) || !matched(next(j), T::LPAREN)) return i;
    const int first = next(next(j));
    const bool hasIndex = raw(first) == T::IDENT && raw(next(first)) == T::ASSIGN;
    if (name(j) == wordOn) return startsStatement(behind(next(j))) ? j : i;
    return hasIndex && (name(j) == wordAt || hasFor(next(j))) ? j : i;
}

bool Scanner::isOverallExpression(int i) const {
    if (name(i) != wordOverall || !matched(next(i), T::LPAREN)) return false;
    const int before = raw(previous(i));
    return before != T::DOT && before != T::ARROW && before != T::SCOPE && hasFor(next(i));
}

// "[ [-,*]": meant as "[[-,*]", and nothing else in C++.
bool Scanner::isSpacedDimensions(int i) const {
    const int inner = next(i);
    if (raw(inner) != T::LBRACKET || match(inner) < 0 || next(inner) == match(inner)) return false;
    for (int j = next(inner); j < match(inner); j = next(j))
        if (raw(j) != T::COMMA && raw(j) != T::STAR && text(j) != "-") return false;
    return true;
}

bool Scanner::holdsExtension(int begin, int end) const {
    for (int i = begin; i < end; ++i) {
        if (token(i).dead) continue;
        switch (raw(i)) {
        case T::LSLOTS:
        case T::LDIMENSIONS:
        case T::SPLIT:
        case T::HPSPMD_ATTRIBUTE:
            return true;
        case T::BACKQUOTE:
            if (endsOperand(previous(i))) return true;
            break;
        case T::LBRACKET:
            if (isSpacedDimensions(i)) return true;
            break;
        case T::IDENT:
            if (name(i) > wordOn) break;
            if (isConstruct(i) || isOverallExpression(i)) return true;
        }
    }
    return false;
}

bool Scanner::involvesExtension(int begin, int end) const {
    if (holdsExtension(begin, end)) return true;
    for (int i = begin; i < end; ++i)
        if (!token(i).dead && names_.isParallel(name(i))) return true;
    return false;
}

bool Scanner::endsOperand(int i) const {
    static constexpr TokenSet operands{T::IDENT,     T::NUMBER,          T::STRING,
                                       T::CHARACTER, T::KEYWORD_LITERAL, T::RBRACKET,
                                       T::RSLOTS,    T::BACKQUOTE,       T::BUILTIN};
    if (operands.contains(raw(i))) return true;
    switch (raw(i)) {
    case T::RPAREN:
        // if (..) (void)x;  sum(overall (..) (double)e)  (long)(int)x
        return !(token(i).marks & endsHead) &&
               (match(i) < 0 || (token(match(i)).role != T::CAST_OPEN &&
                                 (previous(match(i)) < 0 ||
                                  token(previous(match(i))).role != T::OVERALL_EXPRESSION)));
    case T::GREATER:
        return token(i).role == T::TEMPLATE_CLOSE;
    case T::RBRACE:
        return match(i) >= 0 && (token(match(i)).brace == Brace::Initializer ||
                                 (token(match(i)).marks & lambdaBody));
    case T::INCREMENT:
        return endsOperand(previous(i));
    }
    return i >= 0 && token(i).role == T::OPERATOR_NAME;
}

// Whether a "..." is an operand of a fold expression: an operator stands beside it.
bool Scanner::isFold(int ellipsis) const {
    const auto isOperator = [&](int i) {
        if (raw(i) == T::LESS || raw(i) == T::GREATER) return token(i).role == 0;
        static constexpr TokenSet operators{
            T::PLUS_MINUS, T::STAR,     T::AND_AND,   T::OR_OR,  T::SHIFT_LEFT,
            T::AMP,        T::BAR,      T::CARET,     T::DIVIDE, T::COMMA,
            T::EQUALITY,   T::RELATION, T::ASSIGN_OP, T::ASSIGN, T::MEMBER_POINTER_OP};
        return operators.contains(raw(i));
    };
    const int before = previous(ellipsis), after = next(ellipsis);
    if (raw(before) == T::LPAREN) return isOperator(after);
    return isOperator(before) && (raw(after) == T::RPAREN || isOperator(after));
}

}  // namespace hpcc::syntax
