// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <fstream>

#include "mutator.hpp"
#include "syntax/lexer.hpp"

namespace hpcc::fuzz {
namespace {

struct Piece {
    std::size_t begin, end;
};

/// The tokens of a text; bytes, where the lexer does not look.
std::vector<Piece> piecesOf(const std::string& content) {
    std::vector<Piece> pieces;
    if (content.find('\0') == std::string::npos) {
        const source::Text text("input.hpcpp", content);
        for (const syntax::Token& token : syntax::lex(text).tokens)
            if (token.end > token.begin) pieces.push_back({token.begin, token.end});
    }
    if (pieces.empty())
        for (std::size_t i = 0; i < content.size(); ++i) pieces.push_back({i, i + 1});
    return pieces;
}

std::string exchanged(const std::string& text, Piece a, Piece b) {
    if (a.begin > b.begin) std::swap(a, b);
    if (a.end > b.begin) return text;
    return text.substr(0, a.begin) + text.substr(b.begin, b.end - b.begin) +
           text.substr(a.end, b.begin - a.end) + text.substr(a.begin, a.end - a.begin) +
           text.substr(b.end);
}

std::string mutatedOnce(const std::string& text, const std::vector<std::string>& words,
                        Random& random) {
    const std::vector<Piece> pieces = piecesOf(text);
    if (pieces.empty()) return random.oneOf(words);
    const Piece one = random.oneOf(pieces), other = random.oneOf(pieces);
    const std::string token = text.substr(one.begin, one.end - one.begin);
    switch (random.below(7)) {
    case 0:
        return exchanged(text, one, other);
    case 1:
        return std::string(text).erase(one.begin, one.end - one.begin);
    case 2:
        return std::string(text).insert(one.begin, token + " ");
    case 3:
        return std::string(text).insert(other.begin, token + " ");
    case 4:
        return std::string(text).insert(one.begin, random.oneOf(words) + " ");
    case 5: {  // a run of tokens, elsewhere
        const std::size_t last = std::min(text.size(), one.begin + 1 + random.below(60));
        return std::string(text).insert(other.begin, text.substr(one.begin, last - one.begin));
    }
    default:
        return std::string(text).replace(one.begin, one.end - one.begin, random.oneOf(words));
    }
}

/// Escapes are \\, \" and \x0a.
std::string unquoted(const std::string& quoted) {
    std::string word;
    for (std::size_t i = 0; i < quoted.size(); ++i) {
        if (quoted[i] == '\\' && quoted[++i] == 'x') {
            word += static_cast<char>(std::stoi(quoted.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            word += quoted[i];
        }
    }
    return word;
}

}  // namespace

std::vector<std::string> wordsOf(const std::string& path) {
    std::vector<std::string> words;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.size() < 3 || line.front() != '"') continue;
        words.push_back(unquoted(line.substr(1, line.size() - 2)));
    }
    if (words.empty()) words.emplace_back(";");
    return words;
}

std::string withTokensMutated(const std::string& text, const std::vector<std::string>& words,
                              Random& random) {
    std::string changed = mutatedOnce(text, words, random);
    while (random.oneIn(3)) changed = mutatedOnce(changed, words, random);
    return changed;
}

}  // namespace hpcc::fuzz
