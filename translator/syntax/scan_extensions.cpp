// Scanner: the contextual words on, at, overall; what involves HPspmd.
#include "syntax/scanner.hpp"

namespace hpcc::syntax {

bool Scanner::atStatementStart(int i) const {
    switch (raw(previous(i))) {
    case -1:
    case T::SEMICOLON:
    case T::LBRACE:
    case T::RBRACE:
    case T::RPAREN:
    case T::ELSE:
    case T::DO:
    case T::COLON:
    case T::HPSPMD_ATTRIBUTE:
        return true;
    }
    return false;
}

bool Scanner::startsStatement(int i) const {
    switch (raw(i)) {
    case T::LBRACE:
    case T::IDENT:
    case T::IF:
    case T::FOR:
    case T::WHILE:
    case T::DO:
    case T::SWITCH:
    case T::RETURN:
    case T::TRY:
    case T::BREAK:
    case T::CONTINUE:
    case T::GOTO:
    case T::THROW:
    case T::BUILTIN:
    case T::CV:
    case T::STORAGE:
    case T::AUTO:
    case T::INCREMENT:
    case T::KEYWORD_LITERAL:
    case T::DELETE:
    case T::NEW:
    case T::NUMBER:
    case T::STRING:
    case T::CHARACTER:
    case T::CLASS_KEY:
    case T::ENUM:
    case T::USING:
    case T::TYPENAME:
    case T::DECLTYPE:
    case T::NAMED_CAST:
    case T::SIZEOF:
    case T::STATIC_ASSERT:
    case T::SCOPE:
        return true;
    }
    return false;
}

bool Scanner::isOn(int i) const {
    if (name(i) != wordOn || !atStatementStart(i) || !matched(next(i), T::LPAREN)) return false;
    const int after = behind(next(i));
    return startsStatement(after) || (raw(after) == T::SEMICOLON && token(after).spaceBefore);
}

// A ';' in the braces tells it from a variable g of a type on.
bool Scanner::isOnWithoutParentheses(int i) const {
    const int brace = next(next(i));
    if (name(i) != wordOn || raw(next(i)) != T::IDENT || !matched(brace, T::LBRACE)) return false;
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
            if (isOn(i) || isAt(i) || isOverall(i) || isOverallExpression(i)) return true;
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
    switch (raw(i)) {
    case T::IDENT:
    case T::NUMBER:
    case T::STRING:
    case T::CHARACTER:
    case T::KEYWORD_LITERAL:
    case T::RBRACKET:
    case T::RSLOTS:
    case T::BACKQUOTE:
    case T::BUILTIN:
        return true;
    case T::RPAREN:
        // if (..) (void)x;  sum(overall (..) (double)e)
        return !(token(i).marks & endsHead) &&
               (match(i) < 0 || previous(match(i)) < 0 ||
                token(previous(match(i))).role != T::OVERALL_EXPRESSION);
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
    auto isOperator = [&](int i) {
        switch (raw(i)) {
        case T::LESS:
        case T::GREATER:
            return token(i).role == 0;
        case T::PLUS_MINUS:
        case T::STAR:
        case T::AND_AND:
        case T::OR_OR:
        case T::SHIFT_LEFT:
        case T::AMP:
        case T::BAR:
        case T::CARET:
        case T::DIVIDE:
        case T::COMMA:
        case T::EQUALITY:
        case T::RELATION:
        case T::ASSIGN_OP:
        case T::ASSIGN:
        case T::MEMBER_POINTER_OP:
            return true;
        }
        return false;
    };
    const int before = previous(ellipsis), after = next(ellipsis);
    if (raw(before) == T::LPAREN) return isOperator(after);
    return isOperator(before) && (raw(after) == T::RPAREN || isOperator(after));
}

}  // namespace hpcc::syntax
