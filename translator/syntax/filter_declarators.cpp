// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filter: declarators, parameters, qualifiers, types.
#include "syntax/filter.hpp"

namespace hpcc::syntax {

void Filter::classifyDeclaration(int i, bool bareNamesAreParameters) {
    const SpecifierScan scan = scan_.specifiers(i);
    if (!scan) return;
    int count = 0;
    for (int declarator = markPointers(scan.end, count);;) {
        const Declarator found = classifyDeclarator(declarator, bareNamesAreParameters);
        if (found.parameters >= 0) markFunctionBody(found.end, found.parameters);
        const int comma = skipToComma(found.end, -1);
        if (raw(comma) != T::COMMA) return;
        declarator = markPointers(nextOf(comma), count);
    }
}

// As Scanner::pointers; A::B::* becomes one token.
int Filter::markPointers(int i, int& count) {
    const int end = scan_.pointers(i, count);
    for (int j = i; j < end; j = nextOf(j)) {
        const int star = raw(j) == T::IDENT ? scan_.memberPointer(j) : -1;
        if (star < 0) continue;
        token(j).role = T::MEMBER_POINTER;
        j = star;
    }
    return end;
}

int Filter::skipToComma(int i, int limit) const {
    while (raw(i) != T::COMMA && raw(i) != T::SEMICOLON && raw(i) != T::END && !scan_.isCloser(i) &&
           i != limit) {
        if (raw(i) == T::LBRACE && scan_.token(i).brace == Brace::Block) return i;
        if (scan_.isOpener(i))
            i = scan_.behind(i);
        else if (raw(i) == T::IDENT && raw(nextOf(i)) == T::LESS && scan_.isTemplate(i))
            i = nextOf(scan_.templateEnd(nextOf(i)));
        else
            i = nextOf(i);
    }
    return i;
}

Filter::Declarator Filter::classifyDeclarator(int i, bool bareNamesAreParameters) {
    Declarator result{i};
    if (raw(i) == T::LBRACKET) {
        int before = previousOf(i);
        while (raw(before) == T::AMP || raw(before) == T::AND_AND || raw(before) == T::CV)
            before = previousOf(before);
        if (raw(before) != T::AUTO) return result;
        token(i).role = T::BINDING_OPEN;
        if (scan_.match(i) >= 0) result.end = scan_.behind(i);
        return result;
    }
    if (raw(i) == T::ELLIPSIS) i = nextOf(i);
    if (raw(i) == T::LPAREN) {
        result.end = classifyParenthesized(i, result);
        return result;
    }
    if (raw(i) == T::OPERATOR) {
        i = nextOf(scan_.operatorEnd(i));
    } else {
        const int behindName = scan_.qualifiedName(i);
        if (behindName < 0) return result;
        i = behindName;
        if (raw(i) == T::SCOPE && raw(nextOf(i)) == T::OPERATOR)
            i = nextOf(scan_.operatorEnd(nextOf(i)));
    }
    if (scan_.matched(i, T::LPAREN) && scan_.isParameterList(i, bareNamesAreParameters)) {
        result.parameters = i;
        markParameters(i);
        i = markQualifiers(scan_.behind(i));
    }
    result.end = i;
    return result;
}

// "(*f)(int)", "(&r)[3]", "(name)", or the abstract "(int, double)"
int Filter::classifyParenthesized(int paren, Declarator& result) {
    if (scan_.match(paren) < 0) return paren;
    int count = 0;
    const int inner = markPointers(nextOf(paren), count);
    const bool named =
        count == 0 && raw(inner) == T::IDENT && nextOf(inner) == scan_.match(paren) &&
        raw(previousOf(paren)) != T::GREATER && raw(scan_.behind(paren)) == T::LPAREN;
    if (count > 0 || named || raw(inner) == T::LPAREN) {
        token(paren).role = T::LPAREN;
        classifyDeclarator(inner, true);
        int after = scan_.behind(paren);
        if (scan_.matched(after, T::LPAREN)) {
            result.parameters = after;
            markParameters(after);
            after = markQualifiers(scan_.behind(after));
        }
        return after;
    }
    if (!scan_.isParameterList(paren, true)) return paren;
    markParameters(paren);
    return markQualifiers(scan_.behind(paren));
}

void Filter::markParameters(int paren) {
    token(paren).role = T::PARAMETERS_OPEN;
    const int close = scan_.match(paren);
    std::vector<Parameter>& declared = parameterNames_[paren];
    declared.clear();
    for (int i = nextOf(paren); i < close;) {
        while (raw(i) == T::HPSPMD_ATTRIBUTE) i = nextOf(i);
        const int begin = scan_.leadingMacros(i);
        kill(i, begin);
        i = begin;
        if (raw(i) != T::ELLIPSIS) {
            token(i).marks |= startsDeclaration;
            const SpecifierScan scan = scan_.specifiers(i);
            if (scan) {
                prepareClass(i);
                int count = 0;
                const int declarator = markPointers(scan.end, count);
                if (raw(declarator) == T::IDENT)
                    declared.push_back({scan_.name(declarator), NameKind::Variable});
                i = classifyDeclarator(declarator, true).end;
            }
        }
        i = skipToComma(i, close);
        if (raw(i) != T::COMMA) break;
        i = nextOf(i);
    }
}

int Filter::markQualifiers(int i) {
    for (;;) {
        const int kind = raw(i);
        if (kind == T::IDENT && (scan_.name(i) == wordOverride || scan_.name(i) == wordFinal)) {
            token(i).role = T::FUNCTION_QUALIFIER;
        } else if (kind == T::IDENT) {
            const int end = scan_.qualifiersEnd(i);  // a macro, if it goes on
            int macroEnd = nextOf(i);
            if (scan_.matched(macroEnd, T::LPAREN)) macroEnd = scan_.behind(macroEnd);
            if (end == i) return i;
            kill(i, macroEnd);
            i = macroEnd;
            continue;
        } else if (kind == T::THROW) {
            token(i).role = T::FUNCTION_QUALIFIER;
            if (scan_.matched(nextOf(i), T::LPAREN)) i = scan_.match(nextOf(i));
        } else if (kind == T::NOEXCEPT) {
            if (scan_.matched(nextOf(i), T::LPAREN)) {
                token(nextOf(i)).role = T::LPAREN;
                i = scan_.match(nextOf(i));
            }
        } else if (kind == T::REQUIRES) {
            token(i).role = T::REQUIRES_CLAUSE;
            i = scan_.requiresEnd(i);
            continue;
        } else if (kind == T::ARROW) {
            const int type = nextOf(i);
            markType(type);
            const TypeScan scan = scan_.type(type);
            if (!scan) return type;
            i = scan.end;
            continue;
        } else if (kind != T::CV && kind != T::AMP && kind != T::AND_AND && kind != T::STORAGE) {
            return i;
        }
        i = nextOf(i);
    }
}

void Filter::markFunctionBody(int behindQualifiers, int parameters) {
    const int brace = scan_.functionBody(behindQualifiers);
    if (brace < 0) return;
    token(brace).brace = Brace::Block;
    parametersOf_[brace] = parameters;
}

// A type-id starts at i.
void Filter::markType(int i) {
    token(i).marks |= startsType;
    prepareClass(i);
    const SpecifierScan scan = scan_.specifiers(i);
    if (!scan) return;
    int count = 0;
    const int declarator = markPointers(scan.end, count);
    if (raw(declarator) == T::LPAREN) classifyDeclarator(declarator, true);
}

void Filter::markTemplateArguments(int less, bool firstIsType) {
    const int end = scan_.templateEnd(less);
    if (end < 0 || token(less).role == T::TEMPLATE_OPEN) return;
    token(less).role = T::TEMPLATE_OPEN;
    token(end).role = T::TEMPLATE_CLOSE;
    for (int i = nextOf(less); i < end;) {
        int argumentEnd = i;
        while (argumentEnd < end && raw(argumentEnd) != T::COMMA) {
            if (scan_.isOpener(argumentEnd))
                argumentEnd = scan_.match(argumentEnd);
            else if (raw(argumentEnd) == T::LESS && scan_.templateEnd(argumentEnd) >= 0)
                argumentEnd = scan_.templateEnd(argumentEnd);
            argumentEnd = nextOf(argumentEnd);
        }
        const TypeScan type = scan_.type(i);
        const bool whole = type && (type.end == argumentEnd || (raw(type.end) == T::ELLIPSIS &&
                                                                nextOf(type.end) == argumentEnd));
        const bool value = nextOf(i) == argumentEnd && names_.isVariable(scan_.name(i));
        if (firstIsType || (whole && !value)) markType(i);
        i = argumentEnd < end ? nextOf(argumentEnd) : end;
    }
}

}  // namespace hpcc::syntax
