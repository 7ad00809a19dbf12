// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filter: the role of one token, mostly inside expressions.
#include "syntax/filter.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

Delivery Filter::classify(int i) {
    if (scan_.token(i).role == T::CONSTEVAL)
        return {T::CONSTEVAL, i, raw(i) == T::BANG ? nextOf(i) : i};
    static constexpr TokenSet keywords{
        T::IF,       T::WHILE,   T::SWITCH,     T::FOR,    T::CATCH,  T::ELSE,
        T::DO,       T::TRY,     T::NAMED_CAST, T::SIZEOF, T::TYPEID, T::OPERATOR,
        T::REQUIRES, T::STORAGE, T::THROW,      T::NEW,    T::DELETE};
    static constexpr TokenSet brackets{T::LPAREN, T::LBRACKET,    T::LBRACE,
                                       T::RPAREN, T::RBRACKET,    T::RBRACE,
                                       T::LSLOTS, T::LDIMENSIONS, T::RSLOTS};
    static constexpr TokenSet operators{T::SCOPE, T::GREATER, T::LESS, T::ELLIPSIS, T::STAR};
    if (raw(i) == T::IDENT) return classifyIdentifier(i);
    if (brackets.contains(raw(i))) return classifyBracket(i);
    if (keywords.contains(raw(i))) return classifyKeyword(i);
    if (operators.contains(raw(i))) return classifyOperator(i);
    if (raw(i) == T::SEMICOLON && scopes_.back().parentheses == 0) atStart_ = true;
    const int role = scan_.token(i).role;
    return plain(role ? role : raw(i), i);
}

Delivery Filter::classifyKeyword(int i) {
    const int after = nextOf(i);
    switch (raw(i)) {
    case T::IF:
    case T::WHILE:
    case T::SWITCH:
    case T::FOR: {
        if (scan_.isMacroName(after)) kill(after, after + 1);  // if CONSTEXPR_17 (
        const int word = nextOf(i);
        const int paren = raw(word) == T::STORAGE ? nextOf(word) : word;  // if constexpr (
        if (raw(paren) == T::LPAREN) markHead(paren, true);
        const int behindWord = nextOf(raw(word) == T::BANG ? nextOf(word) : word);
        if (raw(previousOf(behindWord)) == T::STORAGE && raw(behindWord) == T::LBRACE) {
            token(word).role = T::CONSTEVAL;  // if !consteval {
            token(behindWord).brace = Brace::Block;
        }
        break;
    }
    case T::CATCH:
        if (!scan_.matched(after, T::LPAREN)) break;
        markParameters(after);
        token(scan_.match(after)).marks |= endsHead;
        if (scan_.matched(scan_.behind(after), T::LBRACE)) {
            token(scan_.behind(after)).brace = Brace::Block;
            parametersOf_[scan_.behind(after)] = after;
        }
        break;
    case T::DO:
        ++scopes_.back().openDos;
        atStart_ = true;
        break;
    case T::ELSE:
        atStart_ = true;
        break;
    case T::TRY:
        if (raw(after) == T::LBRACE) token(after).brace = Brace::Block;
        break;
    case T::NAMED_CAST:
        if (raw(after) == T::LESS) markTemplateArguments(after, true);
        break;
    case T::SIZEOF:
    case T::TYPEID:
        if (scan_.matched(after, T::LPAREN)) {
            token(after).role = T::LPAREN;
            const TypeScan type = scan_.type(nextOf(after));
            if (type.end == scan_.match(after) && type.certain) markType(nextOf(after));
        }
        break;
    case T::NEW:
        if (raw(after) == T::LPAREN) token(after).role = T::LPAREN;  // placement
        break;
    case T::DELETE:
        if (raw(after) == T::LBRACKET) token(after).role = T::LBRACKET;
        break;
    case T::OPERATOR: {
        const int end = scan_.operatorEnd(i);
        if (scan_.holdsExtension(i, end + 1)) {  // operator double [[-]]
            sawExtension_ = true;
            token(after).marks |= startsType;
            return plain(T::CONVERSION, i);
        }
        token(end).role = T::OPERATOR_NAME;
        return opaque(T::OPERATOR_NAME, i, end + 1);
    }
    case T::REQUIRES: {
        if (scan_.token(i).role == T::REQUIRES_CLAUSE)
            return {T::REQUIRES_CLAUSE, i, std::max(i, scan_.requiresEnd(i) - 1)};
        int body = after;
        if (scan_.matched(body, T::LPAREN)) body = scan_.behind(body);
        const int end = scan_.matched(body, T::LBRACE) ? scan_.match(body) : i;
        token(end).role = T::OPERATOR_NAME;  // ends an operand
        return {T::REQUIRES_EXPRESSION, i, end};
    }
    case T::STORAGE:  // explicit(true)
        if (scan_.matched(after, T::LPAREN) && scan_.text(i) == "explicit")
            return {T::STORAGE, i, scan_.match(after)};
        break;
    case T::THROW:
        if (scan_.token(i).role == T::FUNCTION_QUALIFIER)
            return {T::FUNCTION_QUALIFIER, i,
                    scan_.matched(after, T::LPAREN) ? scan_.match(after) : i};
        break;
    }
    return plain(raw(i), i);
}

Delivery Filter::classifyIdentifier(int i) {
    const int role = scan_.token(i).role;
    if (role == T::OVERALL || role == T::AT || role == T::ON) {
        const int paren = nextOf(i);
        if (raw(paren) != T::LPAREN || !scan_.atStatementStart(i)) return plain(role, i);
        markHead(paren, false);
        if (role != T::ON) markOverallHeaders(paren);
        return plain(role, i);
    }
    if (role == T::MEMBER_POINTER) return {role, i, scan_.memberPointer(i)};
    if (role) return plain(role, i);
    if (scan_.isOverallExpression(i)) {
        sawExtension_ = true;
        markOverallHeaders(nextOf(i));
        token(i).role = T::OVERALL_EXPRESSION;
        return plain(T::OVERALL_EXPRESSION, i);
    }
    const int after = nextOf(i);
    if (raw(after) == T::STRING || raw(previousOf(i)) == T::STRING)
        return plain(T::STRING, i);  // a macro: "%" PRIu64 "\n"
    if (raw(after) == T::LESS && scan_.isTemplate(i)) markTemplateArguments(after, false);
    if (takesOpaqueArguments(i)) {
        const int end = scan_.match(after);
        token(end).role = T::OPERATOR_NAME;
        return {T::OPAQUE_EXPRESSION, i, end};
    }
    return plain(T::IDENT, i);
}

// Compiler builtins whose arguments are types: __is_same(T, U), va_arg(list, int)
bool Filter::takesOpaqueArguments(int i) const {
    const int paren = nextOf(i);
    if (!scan_.matched(paren, T::LPAREN) || raw(previousOf(i)) == T::SCOPE) return false;
    const std::string_view word = scan_.text(i);
    const bool known = word == "va_arg" || word == "offsetof" || word == "__builtin_va_arg" ||
                       word == "__builtin_offsetof" || word == "__builtin_bit_cast" ||
                       word == "__builtin_types_compatible_p";
    const bool trait =
        word.starts_with("__is_") || word.starts_with("__has_") || word.starts_with("__reference_");
    if (!known && !trait) return false;
    return scan_.token(paren).role == 0 && !scan_.involvesExtension(paren, scan_.match(paren));
}

Delivery Filter::classifyOperator(int i) {
    const int role = scan_.token(i).role;
    switch (raw(i)) {
    case T::SCOPE:
        return scopeOperator(i);
    case T::STAR:
        if (scan_.matched(scan_.elementPointersEnd(i), T::LDIMENSIONS))
            return plain(T::ELEMENT_POINTER, i);
        break;
    case T::LESS:
        if (role == T::TEMPLATE_PARAMETERS)
            return opaque(T::TEMPLATE_PARAMETERS, i, scan_.match(i) + 1);
        break;
    case T::GREATER: {
        const int after = i + 1;
        const bool shift = role == 0 && raw(after) == T::GREATER &&
                           !scan_.token(after).spaceBefore && scan_.token(after).role == 0 &&
                           !scan_.token(after).dead;
        if (shift) return {T::SHIFT_RIGHT, i, after};
        break;
    }
    case T::ELLIPSIS: {
        const int after = nextOf(i);
        const bool parameters = raw(after) == T::RPAREN && scan_.match(after) >= 0 &&
                                scan_.token(scan_.match(after)).role == T::PARAMETERS_OPEN;
        if (!parameters && scan_.isFold(i)) return plain(T::FOLD_ELLIPSIS, i);
        break;
    }
    }
    return plain(role ? role : raw(i), i);
}

Delivery Filter::scopeOperator(int i) {
    const int before = previousOf(i);
    bool qualified = false;
    if (raw(before) == T::IDENT)
        qualified = !(scan_.token(i).spaceBefore && names_.isType(scan_.name(before)));
    else if (raw(before) == T::GREATER)
        qualified = scan_.token(before).role == T::TEMPLATE_CLOSE;
    else
        qualified = isDecltypeEnd(before);
    return plain(qualified ? T::SCOPE : T::GLOBAL_SCOPE, i);
}

}  // namespace hpcc::syntax
