// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements before the bracket pass: where one ends, and whether it stands behind the head of
// another one. Dead tokens do not count.
#pragma once

#include "syntax/token.hpp"

#include <optional>
#include <unordered_map>

namespace hpcc::syntax {

class RawStatements {
public:
    explicit RawStatements(const TokenStream& stream) : stream_(stream) {}

    // Whether the tokens [begin, end) are exactly one statement.
    bool isOne(uint32_t begin, uint32_t end) const;

    // The statement that begins at `token`, up to the token behind it, if `token` stands behind the
    // head of an overall, at or on.
    std::optional<uint32_t> endOfBody(uint32_t token) const;

    // Whether a statement must follow before `token`: `overall (..)`, `if (..)`, `else` stand
    // there.
    bool isBehindHead(uint32_t token) const;

    // The branches of an #if stand in [begin, end). If they are alternatives, then each is one
    // statement, and so one statement will be there; else what begins there is not understood.
    void noteBranches(uint32_t begin, uint32_t end, bool areAlternatives);

private:
    static constexpr uint32_t none = UINT32_MAX;

    int raw(uint32_t i) const { return stream_.tokens[i].raw; }
    uint32_t headBefore(uint32_t token) const;  // its word, or `none`
    uint32_t live(uint32_t i) const;
    uint32_t before(uint32_t i) const;  // the live token before it, or `none`
    uint32_t behindBrackets(uint32_t i) const;
    uint32_t behindHead(uint32_t i) const;
    uint32_t behind(uint32_t i) const;
    uint32_t behindIf(uint32_t i) const;
    uint32_t behindDo(uint32_t i) const;
    uint32_t behindTry(uint32_t i) const;
    uint32_t behindSimple(uint32_t i) const;
    bool isConstruct(uint32_t word) const;

    const TokenStream& stream_;
    std::unordered_map<uint32_t, uint32_t> branches_;  // by the first token: the one behind
};

}  // namespace hpcc::syntax
