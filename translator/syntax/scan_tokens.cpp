// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scanner: tokens, names and template arguments.
#include "syntax/scanner.hpp"
#include "syntax/token_set.hpp"

#include <algorithm>

namespace hpcc::syntax {

Scanner::Scanner(const TokenStream& stream, const NameTable& names)
    : stream_(stream), names_(names), templateEnds_(stream.tokens.size(), 0) {}

int Scanner::next(int i) const {
    const int last = static_cast<int>(stream_.tokens.size()) - 1;
    if (i >= last) return last;
    do ++i;
    while (token(i).dead);
    return i;
}

int Scanner::previous(int i) const {
    do --i;
    while (i >= 0 && token(i).dead);
    return i;
}

void Scanner::tokensIn(source::Span span, int& begin, int& end) const {
    const auto index = [&](uint32_t offset) {
        const auto found =
            std::lower_bound(stream_.tokens.begin(), stream_.tokens.end(), offset,
                             [](const Token& token, uint32_t o) { return token.begin < o; });
        return static_cast<int>(found - stream_.tokens.begin());
    };
    begin = index(span.begin);
    end = index(span.end);
}

bool Scanner::isOpener(int i) const { return openers.contains(raw(i)) && match(i) > i; }

bool Scanner::isCloser(int i) const {
    const int kind = raw(i);
    return kind == T::RPAREN || kind == T::RBRACKET || kind == T::RBRACE || kind == T::RSLOTS;
}

int Scanner::qualifiedName(int i) const {
    if (raw(i) == T::SCOPE) i = next(i);
    for (;;) {
        if (raw(i) == T::TEMPLATE || raw(i) == T::TILDE) i = next(i);
        if (raw(i) != T::IDENT) return -1;
        int after = next(i);
        if (raw(after) == T::LESS && isTemplate(i)) after = next(templateEnd(after));
        if (raw(after) != T::SCOPE) return after;
        const int member = next(after);
        if (raw(member) != T::IDENT && raw(member) != T::TEMPLATE && raw(member) != T::TILDE)
            return after;
        i = member;
    }
}

// Nested far deeper than anything written by hand, '<' is taken as "less".
constexpr int deepestTemplates = 60;

int Scanner::templateEnd(int less) const {
    int32_t& known = templateEnds_[less];
    if (known != 0) return known;
    if (templateDepth_ >= deepestTemplates) return -1;
    ++templateDepth_;
    const int end = templateEndUncached(less);
    --templateDepth_;
    return templateEnds_[less] = end;
}

int Scanner::templateEndUncached(int less) const {
    bool logical = false;  // a || or && that combines conditions
    bool list = false, types = false;
    int i = next(less);
    for (; raw(i) != T::GREATER; i = next(i)) {
        if (isOpener(i)) {
            i = match(i);
            continue;
        }
        static constexpr TokenSet strangers{T::END,       T::SEMICOLON, T::ASSIGN,   T::ASSIGN_OP,
                                            T::BACKQUOTE, T::QUESTION,  T::INCREMENT};
        if (isCloser(i) || strangers.contains(raw(i))) return -1;
        switch (raw(i)) {
        case T::LESS: {
            const int head = raw(previous(i));
            const int end = head == T::IDENT || head == T::NAMED_CAST ? templateEnd(i) : -1;
            if (end < 0) return -1;
            i = end;
            break;
        }
        case T::COMMA:
            list = true;
            break;
        case T::BUILTIN:
        case T::CV:
        case T::TYPENAME:
            types = true;
            break;
        case T::IDENT:
            types = types || names_.isType(name(i));
            break;
        case T::OR_OR:
            logical = true;
            break;
        case T::AND_AND: {
            const int after = raw(next(i));
            const bool reference = after == T::GREATER || after == T::COMMA ||
                                   after == T::ELLIPSIS || after == T::RPAREN;
            logical = logical || !reference;
            break;
        }
        }
    }
    if (mayFollowTemplate(next(i), logical)) return i;
    // Nobody compares the result of a comparison: only f(a < b, c > -1) has another reading.
    return !logical && (types || !list) && isBinaryOperator(next(i)) ? i : -1;
}

bool Scanner::isBinaryOperator(int i) const {
    static constexpr TokenSet operators{T::PLUS_MINUS, T::DIVIDE,    T::SHIFT_LEFT,
                                        T::BAR,        T::CARET,     T::LESS,
                                        T::THREE_WAY,  T::ASSIGN_OP, T::MEMBER_POINTER_OP};
    return operators.contains(raw(i));
}

bool Scanner::mayFollowTemplate(int i, bool sawLogical) const {
    const int kind = raw(i);
    if (sawLogical)
        return kind == T::SCOPE || kind == T::IDENT || kind == T::LBRACE || kind == T::GREATER;
    static constexpr TokenSet followers{T::LPAREN,      T::SCOPE,     T::LBRACE,
                                        T::GREATER,     T::COMMA,     T::RPAREN,
                                        T::SEMICOLON,   T::IDENT,     T::STAR,
                                        T::AMP,         T::AND_AND,   T::OR_OR,
                                        T::ELLIPSIS,    T::RBRACE,    T::LBRACKET,
                                        T::LDIMENSIONS, T::LSLOTS,    T::RSLOTS,
                                        T::RBRACKET,    T::ASSIGN,    T::CV,
                                        T::OPERATOR,    T::COLON,     T::STORAGE,
                                        T::QUESTION,    T::AUTO,      T::REQUIRES,
                                        T::END,         T::CLASS_KEY, T::DOT,
                                        T::BUILTIN,     T::TYPENAME,  T::KEYWORD_LITERAL,
                                        T::TEMPLATE,    T::RELATION,  T::EQUALITY};
    return followers.contains(kind);
}

// What stands before a name with its qualifiers.
int Scanner::beforeName(int name) const {
    int before = previous(name);
    while (raw(before) == T::SCOPE) {
        const int qualifier = previous(before);
        if (raw(qualifier) != T::IDENT) return qualifier;
        before = previous(qualifier);
    }
    return before;
}

// An operator or `return` stands before the name, so that no declaration starts with it.
bool Scanner::isInsideExpression(int name) const {
    static constexpr TokenSet operators{T::RETURN,   T::ASSIGN,     T::ASSIGN_OP, T::OR_OR,
                                        T::QUESTION, T::PLUS_MINUS, T::DIVIDE,    T::EQUALITY,
                                        T::RELATION, T::BANG,       T::THROW,     T::CASE};
    return operators.contains(raw(beforeName(name)));
}

// The first part of `for (` always declares, or is no comparison.
HeadPart Scanner::partOfHead(int name) const {
    int i = beforeName(name);
    const bool first = raw(i) == T::LPAREN;
    if (raw(i) == T::SEMICOLON)
        for (i = previous(i); i >= 0 && raw(i) != T::LPAREN; i = previous(i)) {
            if (raw(i) == T::SEMICOLON || raw(i) == T::RBRACE || isOpener(i)) return HeadPart::None;
            if (isCloser(i) && match(i) >= 0) i = match(i);
        }
    if (raw(i) != T::LPAREN) return HeadPart::None;
    const int word = raw(previous(i));
    if (word == T::IF || word == T::WHILE || word == T::SWITCH)
        return first ? HeadPart::First : HeadPart::Later;
    return word == T::FOR && !first ? HeadPart::Later : HeadPart::None;
}

bool Scanner::isTemplate(int identifier) const {
    const int less = next(identifier);
    if (raw(less) != T::LESS) return false;
    const int before = raw(previous(identifier));
    // Behind ")" an arrow may also lead in a trailing return type.
    const bool member = before == T::DOT ||
                        (before == T::ARROW && raw(previous(previous(identifier))) != T::RPAREN);
    if (before != T::SCOPE && before != T::TEMPLATE && !member &&
        names_.isVariable(name(identifier)))
        return false;
    const int end = templateEnd(less);
    if (end < 0) return false;
    const bool isNameBehind = raw(next(end)) == T::IDENT;
    if (isNameBehind && isInsideExpression(identifier)) return false;
    if (isNameBehind) {
        const HeadPart part = partOfHead(identifier);
        if (part != HeadPart::None && !isInitialized(next(next(end)), part)) return false;
    }
    if (!member) return true;
    // `a.n < b > ()` is no comparison, also if some `n` is known as a variable.
    const int call = next(end);
    return raw(call) == T::LPAREN &&
           (raw(next(call)) == T::RPAREN || !names_.isVariable(name(identifier)));
}

int Scanner::memberPointer(int i) const {
    while (raw(i) == T::IDENT) {
        int after = next(i);
        if (raw(after) == T::LESS && isTemplate(i)) after = next(templateEnd(after));
        if (raw(after) != T::SCOPE) return -1;
        i = next(after);
        if (raw(i) == T::STAR) return i;
    }
    return -1;
}

int Scanner::operatorEnd(int i) const {
    int symbol = next(i);
    if (raw(symbol) == T::END) return i;
    if (isOpener(symbol) && raw(symbol) != T::LBRACE) return match(symbol);
    if (raw(symbol) == T::STRING) {
        // operator""_x is one token; operator "" _x are two
        const int suffix = next(symbol);
        return raw(suffix) == T::IDENT && raw(next(suffix)) == T::LPAREN ? suffix : symbol;
    }
    if (raw(symbol) == T::NEW || raw(symbol) == T::DELETE) {
        const int bracket = next(symbol);
        return matched(bracket, T::LBRACKET) ? match(bracket) : symbol;
    }
    static constexpr TokenSet typeWords{T::BUILTIN,  T::IDENT, T::CV,       T::SCOPE,
                                        T::TYPENAME, T::AUTO,  T::DECLTYPE, T::CLASS_KEY};
    if (typeWords.contains(raw(symbol))) {
        int count = 0;
        const SpecifierScan scan = specifiers(symbol);
        return scan ? previous(pointers(scan.end, count)) : symbol;
    }
    const bool isShift = raw(symbol) == T::GREATER && raw(next(symbol)) == T::GREATER &&
                         !token(next(symbol)).spaceBefore;  // >> is two tokens
    return isShift ? next(symbol) : symbol;
}

}  // namespace hpcc::syntax
