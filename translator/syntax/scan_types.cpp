// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scanner: specifiers, types, parameter lists, casts.
#include "syntax/scanner.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

// Behind "class X : B { .. }", "struct X", "enum class E : int { .. }".
int Scanner::classOrEnumEnd(int i) const {
    i = next(i);
    if (raw(i) == T::CLASS_KEY) i = next(i);  // enum class
    while (isMacroName(i) && raw(next(i)) == T::IDENT) i = next(i);
    if (raw(i) == T::IDENT || raw(i) == T::SCOPE) {
        const int name = qualifiedName(i);
        if (name < 0) return -1;
        i = name;
    }
    int brace = i;
    if (name(brace) == wordFinal && raw(next(brace)) != T::SEMICOLON) brace = next(brace);
    if (raw(brace) == T::COLON)
        while (raw(brace) != T::LBRACE && raw(brace) != T::SEMICOLON && raw(brace) != T::END &&
               !isCloser(brace))
            brace = isOpener(brace) ? behind(brace) : next(brace);
    return matched(brace, T::LBRACE) ? behind(brace) : i;
}

SpecifierScan Scanner::specifiers(int i) const {
    SpecifierScan scan;
    while (raw(i) == T::STORAGE || raw(i) == T::CV ||
           (raw(i) == T::LPAREN && raw(previous(i)) == T::STORAGE && matched(i, T::LPAREN))) {
        scan.certain = true;
        i = raw(i) == T::LPAREN ? behind(i) : next(i);  // explicit(true)
    }
    switch (raw(i)) {
    case T::BUILTIN:
        scan.certain = true;
        while (raw(i) == T::BUILTIN || (raw(i) == T::CV && raw(next(i)) == T::BUILTIN)) i = next(i);
        break;
    case T::AUTO:
        scan.certain = scan.isAuto = true;
        i = next(i);
        break;
    case T::DECLTYPE:
        if (!matched(next(i), T::LPAREN)) return scan;
        scan.certain = true;
        i = behind(next(i));
        if (raw(i) == T::SCOPE) i = qualifiedName(i);
        break;
    case T::TYPENAME:
        scan.certain = true;
        i = qualifiedName(next(i));
        break;
    case T::CLASS_KEY:
    case T::ENUM:
        scan.certain = true;
        scan.classKey = i;
        i = classOrEnumEnd(i);
        break;
    case T::IDENT:
    case T::SCOPE: {
        scan.head = i;
        const int end = qualifiedName(i);
        if (end < 0) return scan;
        scan.simple = end == next(i);
        scan.certain = scan.certain || (scan.simple && names_.isType(name(i)));
        i = end;
        if (raw(i) == T::AUTO) {  // Concept auto
            scan.certain = scan.isAuto = true;
            i = next(i);
        }
        break;
    }
    default:
        return scan;
    }
    if (i < 0) return scan;
    while (raw(i) == T::STORAGE || raw(i) == T::CV || (raw(i) == T::BUILTIN && scan.head < 0)) {
        scan.certain = true;
        i = next(i);
    }
    const int dimensions = elementPointersEnd(i);
    if (matched(dimensions, T::LDIMENSIONS) && !isEmptySection(dimensions)) {
        scan.certain = true;
        i = behind(dimensions);
    }
    scan.end = i;
    return scan;
}

int Scanner::elementPointersEnd(int i) const {
    if (raw(i) != T::STAR) return i;
    while (raw(i) == T::STAR || raw(i) == T::CV) i = next(i);
    return i;
}

bool Scanner::isEmptySection(int brackets) const {
    const int name = previous(brackets);
    if (raw(brackets) != T::LDIMENSIONS || next(brackets) != match(brackets)) return false;
    if (raw(name) != T::IDENT) return false;
    const int before = raw(previous(name));
    return before == T::DOT || before == T::ARROW || names_.isVariable(this->name(name));
}

int Scanner::pointers(int i, int& count) const {
    count = 0;
    for (;;) {
        const int kind = raw(i);
        if (kind == T::STAR || kind == T::AMP || kind == T::AND_AND ||
            (kind == T::CV && count > 0)) {
            ++count;
            i = next(i);
            continue;
        }
        const int star = kind == T::IDENT ? memberPointer(i) : -1;
        if (star < 0) return i;
        ++count;
        i = next(star);
    }
}

TypeScan Scanner::type(int i) const {
    const SpecifierScan scan = specifiers(i);
    if (!scan) return {};
    TypeScan result{-1, scan.certain};
    int count = 0;
    int end = pointers(scan.end, count);
    result.certain = result.certain || count > 0;
    if (matched(end, T::LPAREN)) {
        const int inner = next(end);
        const bool abstract = raw(inner) == T::STAR || raw(inner) == T::AMP ||
                              raw(inner) == T::AND_AND || memberPointer(inner) >= 0;
        if (abstract) {
            end = behind(end);
            if (matched(end, T::LPAREN)) end = behind(end);
            result.certain = true;
        } else if (inner == match(end) || isParameterList(end, true)) {
            end = qualifiersEnd(behind(end));
            result.certain = true;
        }
    }
    while (matched(end, T::LBRACKET)) {
        const int inner = next(end);
        if (inner != match(end) && raw(inner) != T::NUMBER && !scan.certain &&
            raw(inner) != T::IDENT)
            break;
        end = behind(end);
    }
    result.end = end;
    return result;
}

// Whether "( .. )" behind a name declares parameters. Bare names are parameters at namespace and
// class scope and initialisers in blocks, as users mean it.
bool Scanner::isParameterList(int paren, bool bareNamesToo) const {
    if (match(paren) < 0) return false;
    int i = next(paren);
    const int close = match(paren);
    if (i == close || raw(i) == T::ELLIPSIS || raw(i) == T::HPSPMD_ATTRIBUTE) return true;
    i = leadingMacros(i);
    const SpecifierScan scan = specifiers(i);
    if (!scan) return false;
    int count = 0;
    const int after = pointers(scan.end, count);
    const int kind = raw(after);
    const bool ends = kind == T::COMMA || after == close;
    if (scan.certain) {
        if (ends || kind == T::IDENT || kind == T::ELLIPSIS || kind == T::ASSIGN ||
            kind == T::LBRACKET)
            return true;
        if (kind != T::LPAREN) return false;
        const int inner = next(after);
        const int behindInner = matched(after, T::LPAREN) ? raw(behind(after)) : -1;
        return raw(inner) == T::STAR || raw(inner) == T::AMP || raw(inner) == T::AND_AND ||
               memberPointer(inner) >= 0 ||
               (isParameterList(after, true) &&
                (behindInner == T::COMMA || behindInner == T::RPAREN || behindInner == T::CV));
    }
    const bool headIsVariable = names_.isVariable(name(scan.head)) && scan.simple;
    if (kind == T::IDENT) return count == 0 || (!headIsVariable && bareNamesToo);
    if (kind == T::ELLIPSIS) return count > 0 || bareNamesToo;
    if (kind == T::LPAREN && bareNamesToo && matched(after, T::LPAREN)) {  // R (*f)(A), R(A...)
        const int inner = raw(next(after));
        return inner == T::STAR || inner == T::AMP || inner == T::AND_AND;
    }
    if (!ends && !(kind == T::ASSIGN && bareNamesToo)) return false;
    if (count > 0) return true;
    return bareNamesToo && !headIsVariable;
}

bool Scanner::isCast(int paren) const {
    if (match(paren) < 0) return false;
    const TypeScan scan = type(next(paren));
    if (scan.end != match(paren)) return false;
    static constexpr TokenSet operands{
        T::IDENT,  T::NUMBER, T::STRING,     T::CHARACTER, T::KEYWORD_LITERAL, T::TILDE, T::BANG,
        T::SIZEOF, T::NEW,    T::NAMED_CAST, T::BUILTIN,   T::TYPENAME,        T::TYPEID};
    static constexpr TokenSet operators{T::LPAREN,    T::PLUS_MINUS, T::STAR,     T::AMP,
                                        T::INCREMENT, T::LBRACE,     T::LBRACKET, T::SCOPE,
                                        T::AND_AND,   T::DECLTYPE,   T::OPERATOR};
    const int after = raw(behind(paren));
    return operands.contains(after) || (operators.contains(after) && scan.certain);
}

}  // namespace hpcc::syntax
