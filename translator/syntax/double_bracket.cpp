// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/double_bracket.hpp"

#include "syntax/token_set.hpp"

#include <algorithm>
#include <array>

namespace hpcc::syntax {
namespace {

constexpr std::array standardAttributes = {
    "nodiscard",    "maybe_unused", "deprecated", "fallthrough",       "likely",
    "unlikely",     "noreturn",     "assume",     "no_unique_address", "carries_dependency",
    "indeterminate"};
constexpr std::array ownAttributes = {"collective", "local", "refreshes", "independent",
                                      "budget",     "dist",  "reduce",    "overall",
                                      "single",     "sync",  "divided",   "promised"};
constexpr std::array vendors = {"gnu", "clang", "msvc", "gsl",   "likely",
                                "omp", "boost", "nvc",  "intel", "cppcheck"};

template <class List>
bool contains(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

class Classifier {
public:
    explicit Classifier(const DoubleBracketContext& context) : c_(context) {}

    DoubleBracket classify() const {
        const int length = dimensionsLength();
        if (isDimensions(length)) return length > 0 ? DoubleBracket::Dimensions : emptyGroup();
        if (isHpspmd()) return DoubleBracket::HpspmdAttribute;
        return isAttribute() ? DoubleBracket::Attribute : DoubleBracket::Slots;
    }

    // Back over the type between "new" and the "[[".
    bool followsNew() const {
        int depth = 0;
        for (int i = c_.before; i >= 0; --i) {
            if (c_.output[i].dead) continue;
            const int raw = c_.output[i].raw;
            if (raw == T::NEW && depth == 0) return true;
            if (raw == T::GREATER)
                ++depth;
            else if (raw == T::LESS)
                --depth;
            else if (depth <= 0 && !isTypeWord(raw))
                return false;
            if (raw == T::SEMICOLON || raw == T::LBRACE || raw == T::RBRACE) return false;
        }
        return false;
    }

private:
    int raw(int ahead) const {
        const std::size_t i = static_cast<std::size_t>(c_.group + ahead);
        return i < c_.input.size() ? c_.input[i].raw : static_cast<int>(T::END);
    }
    std::string_view text(int ahead) const {
        const Token& token = c_.input[static_cast<std::size_t>(c_.group + ahead)];
        return c_.stream.text->slice(token.begin, token.end);
    }
    int previous() const { return c_.before >= 0 ? c_.output[c_.before].raw : -1; }

    static bool isTypeWord(int raw) {
        return raw == T::IDENT || raw == T::BUILTIN || raw == T::SCOPE || raw == T::CV ||
               raw == T::STAR || raw == T::TYPENAME;
    }

    // Tokens of a slot: '-', '*', or a template parameter, S or S...; 0 for anything else.
    int slotLength(int n) const {
        if (raw(n) == T::STAR || (raw(n) == T::PLUS_MINUS && text(n) == "-")) return 1;
        if (raw(n) != T::IDENT || !c_.typeParameters.contains(text(n))) return 0;
        return raw(n + 1) == T::ELLIPSIS ? 2 : 1;
    }

    // Tokens of a list of slots and commas.
    int dimensionsLength() const {
        int n = slotLength(0);
        while (n > 0 && raw(n) == T::COMMA && slotLength(n + 1) > 0) n += 1 + slotLength(n + 1);
        return n;
    }

    bool isDimensions(int length) const {
        return raw(length) == T::RBRACKET && raw(length + 1) == T::RBRACKET;
    }

    DoubleBracket emptyGroup() const {
        if (followsNew()) return DoubleBracket::Slots;
        static constexpr TokenSet operandEnds{T::RPAREN, T::RBRACKET, T::RSLOTS};
        // A string: extern "C" [[]];
        static constexpr TokenSet statementEnds{T::SEMICOLON,        T::LBRACE, T::RBRACE,
                                                T::HPSPMD_ATTRIBUTE, T::STRING, -1};
        if (operandEnds.contains(previous())) return DoubleBracket::Slots;
        if (statementEnds.contains(previous())) return DoubleBracket::Attribute;
        return DoubleBracket::Dimensions;
    }

    bool isHpspmd() const {
        for (int i = 0; !endsAttributes(raw(i)); ++i)
            if (raw(i) == T::IDENT && text(i) == "hpspmd" && raw(i + 1) == T::SCOPE &&
                isAttributeWord(i + 2))
                return true;
        return false;
    }
    // Attributes hold no brackets but parentheses: a search for one of ours goes no further.
    static bool endsAttributes(int raw) {
        return raw == T::RBRACKET || raw == T::END || raw == T::SEMICOLON || raw == T::LBRACKET ||
               raw == T::LBRACE;
    }
    // Behind `)` a section may stand, whose index another word may name.
    bool isAttributeWord(int i) const {
        if (raw(i) != T::IDENT) return false;
        return isOwnAttribute(text(i)) || startsDeclaration();
    }

    bool isAttribute() const {
        if (raw(0) == T::USING || raw(0) == T::ATTRIBUTE_WORD || raw(0) == T::COMMA) return true;
        if (followsDeclaredName()) return true;
        if (raw(0) != T::IDENT) return false;
        std::string_view word = text(0);
        if (word.size() > 4 && word.starts_with("__") && word.ends_with("__"))
            word = word.substr(2, word.size() - 4);
        const bool ends = raw(1) == T::RBRACKET || raw(1) == T::COMMA || raw(1) == T::LPAREN;
        if (contains(standardAttributes, word) && ends) return true;
        if (contains(vendors, word) && raw(1) == T::SCOPE) return true;  // also [[gnu::const]]
        return startsDeclaration();
    }

    // `int name [[..]]`: the name of what is declared, whose slots would stand behind `int`.
    bool followsDeclaredName() const {
        int names = 0;
        for (int i = c_.before; i >= 0; --i) {
            if (c_.output[i].dead) continue;
            if (names++ > 0) return c_.output[i].raw == T::BUILTIN;
            if (c_.output[i].raw != T::IDENT) return false;
        }
        return false;
    }

    // Places where only an attribute can stand.
    bool startsDeclaration() const {
        static constexpr TokenSet before{-1,           T::SEMICOLON,       T::LBRACE,    T::RBRACE,
                                         T::COMMA,     T::LPAREN,          T::ELSE,      T::DO,
                                         T::COLON,     T::STORAGE,         T::CLASS_KEY, T::ENUM,
                                         T::NAMESPACE, T::HPSPMD_ATTRIBUTE};
        return before.contains(previous());
    }

    const DoubleBracketContext& c_;
};

}  // namespace

bool isOwnAttribute(std::string_view word) { return contains(ownAttributes, word); }

DoubleBracket classify(const DoubleBracketContext& context) {
    return Classifier(context).classify();
}
bool followsNew(const DoubleBracketContext& context) { return Classifier(context).followsNew(); }

}  // namespace hpcc::syntax
