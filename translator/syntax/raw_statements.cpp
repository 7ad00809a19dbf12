// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/raw_statements.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {
void RawStatements::noteBranches(uint32_t begin, uint32_t end, bool areAlternatives) {
    branches_[begin] = areAlternatives ? end : none;
}

bool RawStatements::isOne(uint32_t begin, uint32_t end) const {
    const uint32_t found = behind(begin);
    return found <= end && live(found) >= end;
}

bool RawStatements::isBehindHead(uint32_t token) const { return headBefore(token) != none; }

std::optional<uint32_t> RawStatements::endOfBody(uint32_t token) const {
    const uint32_t head = headBefore(token);
    if (head == none || !isConstruct(head)) return std::nullopt;
    const uint32_t end = behind(token);
    return end == none ? std::nullopt : std::optional(end);
}

uint32_t RawStatements::headBefore(uint32_t token) const {
    uint32_t i = before(token);
    if (i == none) return none;
    if (raw(i) == T::ELSE || raw(i) == T::DO) return i;
    if (raw(i) != T::RPAREN) return none;
    int depth = -1;
    while (depth < 0 && (i = before(i)) != none) depth += depthOf(raw(i));
    if (i == none || (i = before(i)) == none) return none;
    if (raw(i) == T::STORAGE && before(i) != none) i = before(i);  // if constexpr
    static constexpr TokenSet heads{T::IF, T::FOR, T::WHILE, T::SWITCH};
    return heads.contains(raw(i)) || isConstruct(i) ? i : none;
}

// `overall`, `at` and `on` where a statement starts.
bool RawStatements::isConstruct(uint32_t word) const {
    const NameId name = stream_.tokens[word].name;
    if (name < 0 || name > wordOn) return false;
    const uint32_t i = before(word), index = live(live(word + 1) + 1);
    const bool binds = raw(index) == T::IDENT && raw(live(index + 1)) == T::ASSIGN;
    if (name != wordOn && !binds) return false;
    if (i == none) return true;
    static constexpr TokenSet ends{T::SEMICOLON, T::LBRACE, T::RBRACE, T::RPAREN,
                                   T::RBRACKET,  T::ELSE,   T::DO,     T::COLON};
    return ends.contains(raw(i)) || (raw(i) == T::IDENT && binds);  // PARALLEL overall (..)
}

uint32_t RawStatements::live(uint32_t i) const {
    while (i < stream_.tokens.size() && stream_.tokens[i].dead) ++i;
    return i;
}

uint32_t RawStatements::before(uint32_t i) const {
    while (i-- > 0)
        if (!stream_.tokens[i].dead) return i;
    return none;
}

// Behind the partner of the bracket at `i`.
uint32_t RawStatements::behindBrackets(uint32_t i) const {
    int depth = 0;
    for (; i < stream_.tokens.size() && raw(i) != T::END; ++i) {
        if (stream_.tokens[i].dead) continue;
        depth += depthOf(raw(i));
        if (depth == 0) return i + 1;
    }
    return none;
}

// Behind the parentheses of a head whose word stands at `i`: if constexpr (..)
uint32_t RawStatements::behindHead(uint32_t i) const {
    i = live(i + 1);
    if (raw(i) == T::STORAGE) i = live(i + 1);
    return raw(i) == T::LPAREN ? behindBrackets(i) : none;
}

uint32_t RawStatements::behind(uint32_t i) const {
    for (; i < stream_.tokens.size(); ++i) {
        const auto branches = branches_.find(i);
        if (branches != branches_.end()) return branches->second;
        if (!stream_.tokens[i].dead) break;
    }
    if (i >= stream_.tokens.size()) return none;
    const auto behindBody = [&](uint32_t head) { return head == none ? none : behind(head); };
    switch (raw(i)) {
    case T::LBRACE:
        return behindBrackets(i);
    case T::IF:
        return behindIf(i);
    case T::FOR:
    case T::WHILE:
    case T::SWITCH:
        return behindBody(behindHead(i));
    case T::DO:
        return behindDo(i);
    case T::TRY:
        return behindTry(i);
    case T::ATTRIBUTE_WORD:
    case T::ELSE:
    case T::CATCH:
        return none;
    case T::LBRACKET:  // an attribute
        if (raw(i + 1) == T::LBRACKET) return behindBody(behindBrackets(i));
        break;
    case T::IDENT:
        if (raw(live(i + 1)) == T::COLON) return behind(live(i + 1) + 1);
        if (isConstruct(i)) return behindBody(behindHead(i));
        break;
    }
    return behindSimple(i);
}

uint32_t RawStatements::behindIf(uint32_t i) const {
    const uint32_t head = behindHead(i);
    if (head == none) return none;
    const uint32_t then = behind(head);
    if (then == none || raw(live(then)) != T::ELSE) return then;
    return behind(live(then) + 1);
}

uint32_t RawStatements::behindDo(uint32_t i) const {
    const uint32_t body = behind(i + 1);
    if (body == none || raw(live(body)) != T::WHILE) return none;
    const uint32_t head = behindHead(live(body));
    return head == none || raw(live(head)) != T::SEMICOLON ? none : live(head) + 1;
}

uint32_t RawStatements::behindTry(uint32_t i) const {
    uint32_t end = behind(i + 1);
    while (end != none && raw(live(end)) == T::CATCH) {
        const uint32_t head = behindHead(live(end));
        end = head == none ? none : behind(head);
    }
    return end;
}

// Up to its ';', or the end of the block of FOREACH (..) { .. }
uint32_t RawStatements::behindSimple(uint32_t i) const {
    if (raw(i) == T::IDENT && raw(live(i + 1)) == T::LPAREN) {
        const uint32_t head = behindHead(i);
        if (head != none && raw(live(head)) == T::LBRACE) return behindBrackets(live(head));
    }
    int depth = 0;
    for (; i < stream_.tokens.size() && raw(i) != T::END; ++i) {
        if (stream_.tokens[i].dead) continue;
        if (depth == 0 && raw(i) == T::SEMICOLON) return i + 1;
        depth += depthOf(raw(i));
        if (depth < 0) return none;
    }
    return none;
}

}  // namespace hpcc::syntax
