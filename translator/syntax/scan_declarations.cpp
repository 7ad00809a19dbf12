// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scanner: declarations, function bodies, extents of statements.
#include "syntax/scanner.hpp"
#include "syntax/token_set.hpp"

#include <algorithm>
#include <cctype>

namespace hpcc::syntax {

// Behind the name of a declaration in the head of a statement. `if (a < b || c > d)` declares no d.
bool Scanner::isInitialized(int i, HeadPart part) const {
    const int kind = raw(i);
    if (kind == T::ASSIGN || kind == T::COLON || kind == T::LBRACE) return true;
    if (part == HeadPart::Later) return false;
    if (kind != T::LPAREN && kind != T::LBRACKET && kind != T::COMMA) return kind == T::SEMICOLON;
    for (; raw(i) != T::SEMICOLON; i = isOpener(i) ? behind(i) : next(i))
        if (raw(i) == T::RPAREN || raw(i) == T::END) return false;
    return true;
}

bool Scanner::isDeclaration(int i, HeadPart part) const {
    const SpecifierScan scan = specifiers(i);
    if (!scan) return false;
    if (raw(i) == T::STORAGE || raw(i) == T::CV) return true;
    int count = 0;
    const int declarator = pointers(scan.end, count);
    const int kind = raw(declarator);
    if (kind == T::SEMICOLON && scan.classKey >= 0) return true;
    if (scan.isAuto && kind == T::LBRACKET) return true;  // structured binding
    if (kind == T::OPERATOR) return true;
    if (kind == T::IDENT) {
        const int after = qualifiedName(declarator);
        if (after < 0) return false;
        if (count == 0 || scan.certain)  // two adjacent names
            return part == HeadPart::None || isInitialized(after, part);
        if (scan.simple && names_.isVariable(name(scan.head))) return false;
        static constexpr TokenSet mayEnd{T::SEMICOLON, T::COMMA, T::LPAREN, T::LBRACE, T::LBRACKET};
        return raw(after) == T::ASSIGN || raw(after) == T::COLON ||
               (part == HeadPart::None && mayEnd.contains(raw(after)));
    }
    if (!matched(declarator, T::LPAREN)) return false;
    const int inner = raw(next(declarator));
    if (inner != T::STAR && inner != T::AMP && memberPointer(next(declarator)) < 0) return false;
    const int behindInner = raw(behind(declarator));
    const bool certain = scan.certain || (scan.head >= 0 && names_.isType(name(scan.head)));
    return certain && (behindInner == T::LPAREN || behindInner == T::LBRACKET);
}

int Scanner::qualifiersEnd(int i) const {
    for (;;) {
        switch (raw(i)) {
        case T::CV:
        case T::AMP:
        case T::AND_AND:
        case T::STORAGE:
            i = next(i);
            continue;
        case T::NOEXCEPT:
        case T::THROW:
            i = next(i);
            if (matched(i, T::LPAREN)) i = behind(i);
            continue;
        case T::REQUIRES:
            i = requiresEnd(i);
            continue;
        case T::ARROW: {
            const TypeScan scan = type(next(i));
            if (!scan) return next(i);
            i = scan.end;
            continue;
        }
        case T::IDENT:
            if (name(i) == wordOverride || name(i) == wordFinal) {
                i = next(i);
                continue;
            }
            if (isMacroName(i)) {  // void f() EXCLUDES(mutex) {
                int after = next(i);
                if (matched(after, T::LPAREN)) after = behind(after);
                const int kind = raw(after);
                if (kind == T::SEMICOLON || kind == T::LBRACE || kind == T::IDENT ||
                    kind == T::ASSIGN) {
                    i = after;
                    continue;
                }
            }
            return i;
        }
        return i;
    }
}

// One conjunct: (..), a requires expression, a name with template arguments, a literal.
int Scanner::constraintEnd(int i) const {
    while (raw(i) == T::BANG) i = next(i);
    if (raw(i) == T::REQUIRES) {
        i = next(i);
        if (matched(i, T::LPAREN)) i = behind(i);
        return matched(i, T::LBRACE) ? behind(i) : i;
    }
    if (matched(i, T::LPAREN)) return behind(i);
    if (raw(i) == T::KEYWORD_LITERAL) return next(i);
    const int end = qualifiedName(i);
    if (end < 0) return next(i);
    return matched(end, T::LPAREN) && raw(previous(end)) != T::GREATER ? behind(end) : end;
}

int Scanner::requiresEnd(int i) const {
    i = constraintEnd(next(i));
    while (raw(i) == T::AND_AND || raw(i) == T::OR_OR) i = constraintEnd(next(i));
    return i;
}

int Scanner::constructorNameEnd(int i, NameId className) const {
    while (raw(i) == T::STORAGE || raw(i) == T::CV || raw(i) == T::LPAREN) {
        if (raw(i) == T::LPAREN && (raw(previous(i)) != T::STORAGE || match(i) < 0)) return -1;
        i = raw(i) == T::LPAREN ? behind(i) : next(i);
    }
    int paren = -1;
    if (raw(i) == T::TILDE)
        paren = next(next(i));
    else if (raw(i) == T::OPERATOR)
        paren = next(operatorEnd(i));
    else if (raw(i) == T::IDENT || raw(i) == T::SCOPE) {
        paren = qualifiedName(i);
        if (paren >= 0 && raw(paren) == T::SCOPE && raw(next(paren)) == T::OPERATOR)
            paren = next(operatorEnd(next(paren)));
        if (paren == next(i) && name(i) != className) {
            // at namespace scope: TEST(a, b) { .. } or a deduction guide
            if (!matched(paren, T::LPAREN)) return -1;
            const int after = raw(behind(paren));
            return after == T::LBRACE || after == T::ARROW ? paren : -1;
        }
    }
    return paren >= 0 && matched(paren, T::LPAREN) ? paren : -1;
}

int Scanner::functionBody(int i) const {
    if (raw(i) == T::TRY) i = next(i);
    if (raw(i) == T::COLON) {
        do {
            i = qualifiedName(next(i));
            if (i < 0) return -1;
            if (!matched(i, T::LPAREN) && !matched(i, T::LBRACE)) return -1;
            i = behind(i);
            if (raw(i) == T::ELLIPSIS) i = next(i);
        } while (raw(i) == T::COMMA);
    }
    return matched(i, T::LBRACE) ? i : -1;
}

int Scanner::statementEnd(int i) const {
    for (; raw(i) != T::END; i = next(i)) {
        if (raw(i) == T::SEMICOLON) return i + 1;
        if (raw(i) == T::RBRACE) return i;
        if (!isOpener(i)) continue;
        const bool block =
            raw(i) == T::LBRACE && token(i).brace == Brace::Block && !(token(i).marks & lambdaBody);
        i = match(i);
        if (block) return i + 1;
    }
    return i;
}

int Scanner::declarationEnd(int i) const {
    bool initializer = false, parens = false;
    const int begin = i;
    for (; raw(i) != T::END; i = next(i)) {
        switch (raw(i)) {
        case T::SEMICOLON:
            return i + 1;
        case T::RBRACE:
            return i;
        case T::ASSIGN:
            initializer = true;
            break;
        case T::OPERATOR:
            i = operatorEnd(i);
            continue;
        case T::LPAREN:
            parens = true;
            break;
        }
        if (raw(i) == T::LBRACE && match(i) >= 0) {
            const int before = raw(previous(i)), after = raw(behind(i));
            const bool member =
                before == T::IDENT &&
                (after == T::COMMA || after == T::LBRACE);  // x{3}, in a constructor
            const bool named = raw(begin) == T::NAMESPACE || raw(next(begin)) == T::NAMESPACE ||
                               before == T::STRING;
            const bool body = parens && !initializer && !member && before != T::COMMA;
            i = match(i);
            if (named) return i + 1;
            if (!body) continue;
            while (raw(next(i)) == T::CATCH && matched(next(next(i)), T::LPAREN)) {
                const int handler = behind(next(next(i)));
                if (!matched(handler, T::LBRACE)) break;
                i = match(handler);
            }
            if (raw(next(i)) != T::COMMA && raw(next(i)) != T::LBRACE) return i + 1;
            continue;
        }
        if (isOpener(i)) i = match(i);
    }
    return i;
}

bool Scanner::isMacroName(int i) const {
    if (raw(i) != T::IDENT || names_.kind(name(i)) != NameKind::Unknown) return false;
    const std::string_view word = text(i);
    return word.size() > 2 && std::none_of(word.begin(), word.end(), [](unsigned char c) {
               return std::islower(c) || c >= 0x80 || c == '$';
           });
}

int Scanner::leadingMacros(int i) const {
    static constexpr TokenSet begins{T::STORAGE,  T::CV,       T::BUILTIN,   T::CLASS_KEY,
                                     T::ENUM,     T::TEMPLATE, T::AUTO,      T::TYPENAME,
                                     T::DECLTYPE, T::TILDE,    T::NAMESPACE, T::HPSPMD_ATTRIBUTE,
                                     T::RBRACE,   T::END,      T::ACCESS,    T::USING};
    for (;;) {
        if (!isMacroName(i)) return i;
        int after = next(i);
        if (matched(after, T::LPAREN)) after = behind(after);
        if (begins.contains(raw(after))) {
            i = after;
            continue;
        }
        if (raw(after) != T::IDENT) return i;
        // MACRO Type name, MACRO std::string name
        if (raw(next(i)) == T::LPAREN && token(after).spaceBefore &&
            raw(previous(after)) == T::RPAREN &&
            stream_.spanOf(previous(after)).position().line !=
                stream_.spanOf(after).position().line)
            return i;
        const int name = qualifiedName(after);
        int count = 0;
        const int declarator = name < 0 ? -1 : pointers(name, count);
        if (declarator < 0 || raw(declarator) != T::IDENT) return i;
        i = after;
    }
}

int Scanner::macroHeadEnd(int i) const {
    const int paren = next(i);
    if (raw(i) != T::IDENT || !matched(paren, T::LPAREN)) return -1;
    if (names_.kind(name(i)) != NameKind::Unknown) return -1;
    const int after = behind(paren);
    const int close = match(paren);
    const bool sameLine =
        stream_.spanOf(close).position().line == stream_.spanOf(after).position().line;
    if (raw(after) == T::LBRACE && (isMacroName(i) || sameLine)) return close;
    return isMacroName(i) && raw(after) != T::LBRACE && startsStatement(after) ? close : -1;
}

}  // namespace hpcc::syntax
