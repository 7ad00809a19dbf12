// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filter: what starts at namespace and class scope.
#include "syntax/filter.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

std::optional<Delivery> Filter::startDeclaration(int i) {
    scopes_.back().statement = i;
    scopes_.back().parentheses = 0;
    i = skipLeadingMacros(i);
    position_ = i;
    static constexpr TokenSet others{T::LBRACE,    T::RBRACE, T::END,
                                     T::SEMICOLON, T::CATCH,  T::STATIC_ASSERT};
    if (others.contains(raw(i))) return std::nullopt;
    switch (raw(i)) {
    case T::HPSPMD_ATTRIBUTE:
        sawExtension_ = true;
        atStart_ = true;
        return collapsed(T::HPSPMD_ATTRIBUTE, i, i + 1);
    case T::ACCESS:
        token(nextOf(i)).marks |= endsHead;
        return std::nullopt;
    case T::TEMPLATE:
        return startTemplate(i);
    case T::REQUIRES:
        atStart_ = true;
        return collapsed(T::REQUIRES_CLAUSE, i, scan_.requiresEnd(i));
    case T::NAMESPACE:
        return startNamespace(i);
    case T::STORAGE:
        if (auto special = startSpecialDeclaration(i)) return special;
        break;
    case T::ASM:
    case T::CONCEPT:
        atStart_ = true;
        return opaque(T::OPAQUE_DECLARATION, i, scan_.declarationEnd(i));
    case T::USING:
        markAlias(i);
        return std::nullopt;
    case T::IDENT:
        if (scan_.isConstruct(i)) return startMisplacedStatement(i);
        if (auto macro = startMacroDeclaration(i)) return macro;
        break;
    }
    return startPlainDeclaration(i);
}

// on, at or overall at namespace or class scope
Delivery Filter::startMisplacedStatement(int i) {
    sawExtension_ = atStart_ = true;
    errors_.report(diagnostics::Id::StatementOutsideFunction, stream_.spanOf(i), scan_.text(i));
    const int behindHead =
        scan_.matched(nextOf(i), T::LPAREN) ? scan_.behind(nextOf(i)) : nextOf(i);
    const bool block = scan_.matched(behindHead, T::LBRACE);
    return collapsed(T::OPAQUE_DECLARATION, i,
                     block ? scan_.match(behindHead) + 1 : scan_.declarationEnd(i));
}

// extern "C", extern template, inline namespace
std::optional<Delivery> Filter::startSpecialDeclaration(int i) {
    const int after = nextOf(i);
    if (raw(after) == T::STRING) {
        if (raw(nextOf(after)) == T::LBRACE)
            token(nextOf(after)).brace = Brace::Namespace;
        else
            token(after).marks |= endsHead;
        return collapsed(T::LINKAGE, i, i + 1);
    }
    if (raw(after) == T::TEMPLATE) {
        token(after).marks |= endsHead;
        return collapsed(T::EXTERN_TEMPLATE, i, i + 1);
    }
    if (raw(after) == T::NAMESPACE) {
        startNamespace(after);
        return collapsed(T::INLINE_NAMESPACE, i, i + 1);
    }
    return std::nullopt;
}

int Filter::templateParametersEnd(int less) const {
    int depth = 0;
    for (int i = less; raw(i) != T::END; i = nextOf(i)) {
        if (scan_.isOpener(i)) {
            i = scan_.match(i);
            continue;
        }
        if (raw(i) == T::LESS) ++depth;
        if (raw(i) == T::GREATER && --depth == 0) return i;
        if (raw(i) == T::SEMICOLON || raw(i) == T::LBRACE || raw(i) == T::RBRACE) break;
    }
    return -1;
}

void Filter::declareTemplateParameters(int less, int end) {
    for (int i = nextOf(less); i < end; i = nextOf(i)) {
        const bool typeKey = raw(i) == T::TYPENAME || raw(i) == T::CLASS_KEY;
        if (!typeKey && raw(i) != T::BUILTIN) continue;
        int name = nextOf(i);
        while (raw(name) == T::ELLIPSIS || raw(name) == T::BUILTIN) name = nextOf(name);
        if (raw(name) != T::IDENT) continue;
        const int after = raw(nextOf(name));
        if (after != T::COMMA && after != T::GREATER && after != T::ASSIGN) continue;
        names_.declare(scan_.name(name), typeKey ? NameKind::Type : NameKind::Variable);
    }
}

std::optional<Delivery> Filter::startTemplate(int i) {
    const int less = nextOf(i);
    if (raw(less) != T::LESS) {  // explicit instantiation
        token(i).marks |= endsHead;
        return std::nullopt;
    }
    const int end = templateParametersEnd(less);
    if (end < 0) return std::nullopt;
    declareTemplateParameters(less, end);
    token(less).role = T::TEMPLATE_PARAMETERS;
    token(less).match = end;
    token(less).marks |= endsHead;
    return std::nullopt;
}

std::optional<Delivery> Filter::startNamespace(int i) {
    int name = nextOf(i);
    int behindName = raw(name) == T::IDENT ? scan_.qualifiedName(name) : name;
    if (behindName < 0) return std::nullopt;
    int brace = behindName;  // namespace std VISIBILITY(default) {
    while (raw(brace) != T::LBRACE && raw(brace) != T::SEMICOLON && raw(brace) != T::ASSIGN &&
           raw(brace) != T::END)
        brace = scan_.isOpener(brace) ? scan_.behind(brace) : nextOf(brace);
    if (raw(brace) != T::LBRACE) return std::nullopt;
    kill(behindName, brace);
    token(brace).brace = Brace::Namespace;
    return std::nullopt;
}

// MACRO(..) alone, with or without ';', where a declaration could stand.
std::optional<Delivery> Filter::startMacroDeclaration(int i) {
    const NameId word = scan_.name(i);
    if (word == wordModule || word == wordImport) {
        const int after = raw(nextOf(i));
        if (after == T::IDENT || after == T::LESS || after == T::STRING || after == T::SEMICOLON) {
            atStart_ = true;
            return opaque(T::OPAQUE_DECLARATION, i, scan_.declarationEnd(i));
        }
    }
    const int paren = nextOf(i);
    if (!scan_.matched(paren, T::LPAREN) || word == scopes_.back().className) return std::nullopt;
    const int after = scan_.behind(paren);
    static constexpr TokenSet starts{T::RBRACE,  T::END,       T::IDENT,        T::TEMPLATE,
                                     T::STORAGE, T::CLASS_KEY, T::NAMESPACE,    T::USING,
                                     T::ENUM,    T::BUILTIN,   T::AUTO,         T::ACCESS,
                                     T::SCOPE,   T::TILDE,     T::STATIC_ASSERT};
    const bool ends = raw(after) == T::SEMICOLON && scan_.name(i) != scopes_.back().className;
    if (!ends && !starts.contains(raw(after))) return std::nullopt;
    atStart_ = true;
    return opaque(T::OPAQUE_DECLARATION, i, ends ? after + 1 : scan_.match(paren) + 1);
}

// Macros in front of a declaration and behind its storage words: static EXPORT int f();
int Filter::skipLeadingMacros(int i) {
    const int begin = scan_.leadingMacros(i);
    kill(i, begin);
    for (int word = begin; raw(word) == T::STORAGE || raw(word) == T::CV;) {
        word = nextOf(word);
        const int end = scan_.leadingMacros(word);
        kill(word, end);
        word = end;
    }
    return begin;
}

Delivery Filter::startPlainDeclaration(int i) {
    prepareClass(i);
    const int paren = scan_.constructorNameEnd(i, scopes_.back().className);
    if (paren >= 0) {
        markParameters(paren);
        markFunctionBody(markQualifiers(scan_.behind(paren)), paren);
        return plain(T::CONSTRUCTOR, i);
    }
    classifyDeclaration(i, true);
    return plain(T::DECLARATION, i);
}

// A class or enum defined in specifiers that start at i.
void Filter::prepareClass(int i) {
    while (raw(i) == T::STORAGE || raw(i) == T::CV) i = nextOf(i);
    if (raw(i) == T::ENUM) return prepareEnum(i);
    if (raw(i) != T::CLASS_KEY) return;
    int name = nextOf(i);
    for (int after = nextOf(name); scan_.isMacroName(name);
         name = after, after = nextOf(name)) {  // class EXPORT C
        if (scan_.matched(after, T::LPAREN)) after = scan_.behind(after);
        if (raw(after) != T::IDENT || scan_.name(after) == wordFinal) break;
        kill(name, after);
    }
    int behindName = name, nameToken = -1;
    if (raw(name) == T::IDENT || raw(name) == T::SCOPE) {
        behindName = scan_.qualifiedName(name);
        if (behindName < 0) return;
        nameToken = behindName;
        do nameToken = previousOf(nameToken);
        while (nameToken > name && raw(nameToken) != T::IDENT);
        if (raw(nextOf(name)) != T::SCOPE) nameToken = name;  // C, or C of C<int>
        names_.declare(scan_.name(nameToken), NameKind::Type);
    }
    prepareClassBody(i, behindName, nameToken);
}

void Filter::prepareClassBody(int classKey, int i, int nameToken) {
    if (scan_.name(i) == wordFinal) {
        const int after = raw(nextOf(i));
        if (after == T::LBRACE || after == T::COLON) {
            kill(i, i + 1);
            i = nextOf(i);
        }
    }
    int brace = i;
    if (raw(i) == T::COLON)
        while (raw(brace) != T::LBRACE && raw(brace) != T::SEMICOLON && raw(brace) != T::END)
            brace = scan_.isOpener(brace) ? scan_.behind(brace) : nextOf(brace);
    if (!scan_.matched(brace, T::LBRACE)) return;
    if (raw(i) == T::COLON) token(i).role = T::BASES_COLON;
    token(brace).brace = Brace::Class;
    token(classKey).role = T::CLASS_DEFINITION;
    classNames_[brace] = scan_.name(nameToken);
}

void Filter::prepareEnum(int i) {
    int name = nextOf(i);
    if (raw(name) == T::CLASS_KEY) name = nextOf(name);
    if (raw(name) == T::IDENT) names_.declare(scan_.name(name), NameKind::Type);
    for (int brace = name;
         raw(brace) != T::SEMICOLON && raw(brace) != T::LPAREN && raw(brace) != T::END;
         brace = nextOf(brace))
        if (raw(brace) == T::LBRACE) {
            token(brace).brace = Brace::Enumerators;
            return;
        }
}

}  // namespace hpcc::syntax
