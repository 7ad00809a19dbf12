// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of tokens, for what may stand before or behind a place.
//
//     static constexpr TokenSet heads{T::IF, T::FOR, T::WHILE};
//     return heads.contains(raw(i));
#pragma once

#include "syntax/token.hpp"

#include <array>
#include <initializer_list>

namespace hpcc::syntax {

class TokenSet {
public:
    constexpr TokenSet(std::initializer_list<int> tokens) {
        for (const int token : tokens) words_[wordOf(token)] |= bitOf(token);
    }
    // -1, where there is no token, is in sets that name it.
    constexpr bool contains(int token) const { return words_[wordOf(token)] & bitOf(token); }

private:
    static constexpr std::size_t wordOf(int token) {
        return static_cast<std::size_t>(token + 1) / 64;
    }
    static constexpr uint64_t bitOf(int token) { return uint64_t{1} << ((token + 1) % 64); }

    std::array<uint64_t, 8> words_{};
};

inline constexpr TokenSet openers{T::LPAREN, T::LBRACKET, T::LBRACE, T::LSLOTS, T::LDIMENSIONS};

// 1 for a bracket that opens, -1 for one that closes, before the bracket pass has made "[[" of two.
constexpr int depthOf(int raw) {
    constexpr TokenSet opening{T::LPAREN, T::LBRACKET, T::LBRACE};
    constexpr TokenSet closing{T::RPAREN, T::RBRACKET, T::RBRACE};
    return opening.contains(raw) - closing.contains(raw);
}

}  // namespace hpcc::syntax
