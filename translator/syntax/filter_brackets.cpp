// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filter: what each bracket opens.
#include "syntax/filter.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

Delivery Filter::classifyBracket(int i) {
    int& parentheses = scopes_.back().parentheses;
    switch (raw(i)) {
    case T::LPAREN:
        ++parentheses;
        return openParenthesis(i);
    case T::LBRACKET:
        ++parentheses;
        return openBracket(i);
    case T::LBRACE:
        return openBrace(i);
    case T::RBRACE:
        return closeBrace(i);
    case T::RPAREN:
    case T::RBRACKET:
        if (parentheses > 0) --parentheses;
        if (scan_.match(i) >= 0 && scan_.token(scan_.match(i)).role == T::PARAMETERS_OPEN) {
            pending_ = PendingScope::CloseParameters;
            pendingBrace_ = scan_.match(i);
        }
        break;
    case T::LDIMENSIONS:
        sawExtension_ = true;
        return plain(scan_.isEmptySection(i) ? T::LSLOTS : T::LDIMENSIONS, i);
    case T::LSLOTS:
        sawExtension_ = true;
        break;
    case T::RSLOTS:
        return closeSlots(i);
    }
    return plain(raw(i), i);
}

Delivery Filter::openParenthesis(int i) {
    int role = scan_.token(i).role;
    if (role == 0 && raw(nextOf(i)) == T::LBRACE && scan_.match(i) >= 0 &&
        !scan_.endsOperand(previousOf(i)) &&
        raw(scan_.behind(nextOf(i))) == T::RPAREN) {  // GNU ({ .. })
        --scopes_.back().parentheses;
        const int end = scan_.match(i);
        token(end).role = T::OPERATOR_NAME;
        return opaque(T::OPAQUE_EXPRESSION, i, end + 1);
    }
    if (role == 0 && !scan_.endsOperand(previousOf(i))) {
        static constexpr TokenSet words{T::DECLTYPE, T::NOEXCEPT, T::TYPENAME, T::AUTO,
                                        T::STATIC_ASSERT};
        if (!words.contains(raw(previousOf(i))) && scan_.isCast(i)) {
            role = token(i).role = T::CAST_OPEN;
            markType(nextOf(i));
        }
    }
    if (role == T::PARAMETERS_OPEN) pending_ = PendingScope::OpenParameters;
    return plain(role ? role : T::LPAREN, i);
}

Delivery Filter::openBracket(int i) {
    const int role = scan_.token(i).role;
    if (role) return plain(role, i);
    if (!scan_.endsOperand(previousOf(i)) && markLambda(i)) return plain(T::LAMBDA_OPEN, i);
    return plain(T::LBRACKET, i);
}

// "[..] <class T> (..) mutable -> U {": marks its parts if the '[' opens a lambda expression.
bool Filter::markLambda(int bracket) {
    if (scan_.match(bracket) < 0) return false;
    int i = scan_.behind(bracket);
    const int less = i;
    int lessEnd = -1;
    if (raw(i) == T::LESS) {
        lessEnd = templateParametersEnd(i);
        if (lessEnd < 0) return false;
        i = nextOf(lessEnd);
        if (raw(i) == T::REQUIRES) i = scan_.requiresEnd(i);
    }
    const int paren = scan_.matched(i, T::LPAREN) ? i : -1;
    if (paren >= 0) i = scan_.qualifiersEnd(scan_.behind(paren));
    if (!scan_.matched(i, T::LBRACE)) return false;
    if (lessEnd >= 0) {
        declareTemplateParameters(less, lessEnd);
        token(less).role = T::TEMPLATE_PARAMETERS;
        token(less).match = lessEnd;
        if (raw(nextOf(lessEnd)) == T::REQUIRES) token(nextOf(lessEnd)).role = T::REQUIRES_CLAUSE;
    }
    if (paren >= 0) {
        markParameters(paren);
        markQualifiers(scan_.behind(paren));
        parametersOf_[i] = paren;
    }
    token(i).brace = Brace::Block;
    token(i).marks |= lambdaBody;
    return true;
}

// The argument of a macro: EXPECT_THROW({ f(); }, E). No initializer has a ';' of its own, nor
// begins like a statement.
bool Filter::holdsStatements(int brace) const {
    const int first = nextOf(brace);
    static constexpr TokenSet heads{T::IF, T::FOR, T::WHILE, T::SWITCH, T::TRY};
    if (heads.contains(raw(first)) || scan_.isConstruct(first)) return true;
    for (int i = first; i < scan_.match(brace); i = nextOf(i)) {
        if (raw(i) == T::SEMICOLON) return true;
        if (scan_.isOpener(i)) i = scan_.match(i);
    }
    return false;
}

Delivery Filter::openBrace(int i) {
    Brace& brace = token(i).brace;
    if (brace == Brace::Unknown) {
        switch (raw(previousOf(i))) {
        case T::RPAREN:
            brace = isDecltypeEnd(previousOf(i)) ? Brace::Initializer : Brace::Block;
            break;
        case T::SEMICOLON:
        case T::ELSE:
        case T::DO:
            brace = Brace::Block;
            break;
        case T::RBRACE:
            brace = inBlock() ? Brace::Block : Brace::Initializer;
            break;
        case T::LPAREN:
        case T::COMMA:
            brace = holdsStatements(i) ? Brace::Block : Brace::Initializer;
            if (brace == Brace::Block) token(i).marks |= lambdaBody;
            break;
        default:
            brace = Brace::Initializer;
        }
    }
    if (brace == Brace::Initializer) {
        ++scopes_.back().parentheses;
        return plain(T::INITIALIZER_OPEN, i);
    }
    if (brace == Brace::Enumerators) return plain(T::LBRACE, i);
    pending_ = PendingScope::Open;
    pendingBrace_ = i;
    const ScopeKind kind = brace == Brace::Class       ? ScopeKind::Class
                           : brace == Brace::Namespace ? ScopeKind::Namespace
                                                       : ScopeKind::Block;
    pendingScope_ = Scope{kind};
    if (brace == Brace::Class) pendingScope_.className = classNames_[i];
    atStart_ = true;
    return plain(T::LBRACE, i);
}

Delivery Filter::closeBrace(int i) {
    const int opener = scan_.match(i);
    const Brace brace = opener >= 0 ? scan_.token(opener).brace : Brace::Block;
    const bool lambda = opener >= 0 && (scan_.token(opener).marks & lambdaBody);
    if (brace == Brace::Initializer && scopes_.back().parentheses > 0) --scopes_.back().parentheses;
    if (brace == Brace::Block || brace == Brace::Class || brace == Brace::Namespace) {
        pending_ = PendingScope::Close;
        atStart_ = brace != Brace::Class && !lambda;
    }
    return plain(T::RBRACE, i);
}

Delivery Filter::closeSlots(int i) {
    const int opener = scan_.match(i);
    if (opener < 0) return plain(T::RSLOTS, i);
    const int after = nextOf(i);
    if (raw(opener) == T::LDIMENSIONS && !scan_.isEmptySection(opener)) {
        int count = 0;
        const int declarator = scan_.pointers(after, count);
        const int behind = raw(nextOf(declarator));  // double [[-]] Field<T>::values
        if (raw(declarator) == T::IDENT && behind != T::SCOPE && behind != T::LESS)
            names_.declare(scan_.name(declarator), NameKind::Parallel);
    }
    if (scan_.name(after) == wordOn && (scan_.token(opener).marks & afterNew))
        token(after).role = T::ON;
    return plain(T::RSLOTS, i);
}

}  // namespace hpcc::syntax
