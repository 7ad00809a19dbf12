// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/brackets.hpp"

#include <algorithm>

#include "syntax/double_bracket.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {
namespace {

using diagnostics::Id;

// An open bracket. `kind` is '(', '[', '{', 'D' for "[[", or 'B' for the brace round a branched
// body.
struct Open {
    char kind;
    int token;
    bool inTriplet = false;  // behind the 'for' of an overall header
    bool isHeader = false;   // the '(' of an overall header
};

class BracketPass {
public:
    explicit BracketPass(TokenStream& stream) : stream_(stream), input_(std::move(stream.tokens)) {}

    void run() {
        output_.reserve(input_.size());
        while (position_ < input_.size()) {
            openBodies();
            step();
            closeBodies();
        }
        stream_.tokens = std::move(output_);
        for (EarlyError& error : stream_.errors) error.token = newIndex(error.span.begin);
    }

private:
    const Token& current() const { return input_[position_]; }
    int rawAhead(std::size_t n) const {
        return position_ + n < input_.size() ? input_[position_ + n].raw : static_cast<int>(T::END);
    }
    bool adjacentNext() const {
        return position_ + 1 < input_.size() && !input_[position_ + 1].spaceBefore;
    }
    int last() const { return static_cast<int>(output_.size()) - 1; }
    int previous() const {
        int i = last();
        while (i >= 0 && output_[i].dead) --i;
        return i;
    }
    int previousRaw() const { return previous() >= 0 ? output_[previous()].raw : -1; }
    source::Span span(const Token& token) const { return {stream_.text, token.begin, token.end}; }
    void error(Id id, source::Span where, std::vector<std::string> arguments = {}) {
        stream_.errors.push_back({id, where, std::move(arguments), 0, 0});
    }
    uint32_t newIndex(uint32_t offset) const {
        auto after =
            std::lower_bound(stream_.tokens.begin(), stream_.tokens.end(), offset,
                             [](const Token& token, uint32_t o) { return token.begin < o; });
        return static_cast<uint32_t>(after - stream_.tokens.begin());
    }

    // Passes on `count` input tokens as one.
    Token& pass(std::size_t count = 1) {
        Token token = input_[position_];
        token.end = input_[position_ + count - 1].end;
        position_ += count;
        output_.push_back(token);
        return output_.back();
    }

    // A brace that stands at `offset` and takes no room there.
    void addBrace(int raw, uint32_t offset) {
        Token brace;
        brace.begin = brace.end = offset;
        brace.raw = static_cast<uint16_t>(raw);
        brace.spaceBefore = true;
        output_.push_back(brace);
    }

    void openBodies() {
        for (; body_ < stream_.bodies.size() && stream_.bodies[body_].first <= position_; ++body_) {
            if (stream_.bodies[body_].first < position_) continue;  // inside of an attribute
            open_.push_back({'B', static_cast<int>(output_.size())});
            addBrace(T::LBRACE, stream_.bodies[body_].begin);
            openBodies_.push_back(stream_.bodies[body_]);
        }
    }

    void closeBodies() {
        for (; !openBodies_.empty() && openBodies_.back().behind <= position_;
             openBodies_.pop_back()) {
            while (top() != 'B') tellNeverClosed();
            // An attribute that has no end may reach beyond it.
            addBrace(T::RBRACE, std::max(openBodies_.back().end, output_.back().end));
            link(open_.back().token);
        }
    }

    void step() {
        if (current().dead) {
            pass();
            return;
        }
        switch (current().raw) {
        case T::LPAREN:
            return push('(');
        case T::LBRACE:
            return push('{');
        case T::LBRACKET:
            return rawAhead(1) == T::LBRACKET && adjacentNext() ? doubleBracket() : push('[');
        case T::RBRACKET:
            return top() == 'D' ? closeDouble() : close('[');
        case T::RPAREN:
            return close('(');
        case T::RBRACE:
            return close('{');
        case T::SCOPE:
            return scope();
        case T::LESS:
            return less();
        case T::ATTRIBUTE_WORD:
            return attributeWord();
        case T::END:
            return end();
        case T::FOR:
            if (!open_.empty() && open_.back().isHeader) open_.back().inTriplet = true;
            break;
        case T::IDENT:
            noteTypeParameter();
            break;
        case T::ASSIGN:
            if (!open_.empty()) open_.back().inTriplet = false;  // the next header of the list
            break;
        }
        pass();
    }

    // class S, typename... S
    void noteTypeParameter() {
        int before = previous();
        if (before > 0 && output_[before].raw == T::ELLIPSIS) --before;
        if (before < 0) return;
        if (output_[before].raw == T::CLASS_KEY || output_[before].raw == T::TYPENAME)
            typeParameters_.insert(span(current()).str());
    }

    char top() const { return open_.empty() ? 0 : open_.back().kind; }

    void push(char kind) {
        const int before = previous();
        const bool header = kind == '(' && before >= 0 && output_[before].name == wordOverall;
        open_.push_back({kind, static_cast<int>(output_.size()), false, header});
        pass();
    }

    void link(int opener) {
        output_.back().match = opener;
        output_[opener].match = last();
        open_.pop_back();
    }

    void close(char kind) {
        pass();
        if (top() == kind) return link(open_.back().token);
        const std::string closer(span(output_.back()).str());
        std::size_t below = open_.size();
        while (below > 0 && open_[below - 1].kind != kind && open_[below - 1].kind != 'B') --below;
        if (below == 0 || open_[below - 1].kind == 'B') {
            output_.back().dead = true;  // it is told once; the parser need not stumble over it
            return error(Id::BracketUnmatched, span(output_.back()), {closer});
        }
        const source::Position where = span(output_.back()).position();
        const source::Span opener = span(output_[open_.back().token]);
        error(Id::BracketNotClosedBefore, opener,
              {std::string(opener.str()), closer, std::to_string(where.line),
               std::to_string(where.column)});
        stream_.errors.back().end = output_.back().end;
        open_.resize(below);
        link(open_.back().token);
    }

    void closeDouble() {
        const bool whole =
            rawAhead(1) == T::RBRACKET && !input_[position_ + 1].dead && adjacentNext();
        if (!whole) {
            const uint32_t line = span(output_[open_.back().token]).position().line;
            error(Id::DoubleBracketHalfClosed, span(current()), {std::to_string(line)});
        }
        pass(whole ? 2 : 1).raw = T::RSLOTS;
        link(open_.back().token);
    }

    void doubleBracket() {
        const DoubleBracketContext context{stream_, input_,     static_cast<int>(position_) + 2,
                                           output_, previous(), typeParameters_};
        const DoubleBracket meaning = classify(context);
        if (meaning == DoubleBracket::Attribute) return attribute(false);
        if (meaning == DoubleBracket::HpspmdAttribute && isClosedBeforeStatement())
            return attribute(true);
        const bool behindNew = followsNew(context);
        open_.push_back({'D', static_cast<int>(output_.size()), false, false});
        Token& token = pass(2);
        token.raw = meaning == DoubleBracket::Dimensions ? T::LDIMENSIONS : T::LSLOTS;
        if (behindNew) token.marks |= afterNew;
    }

    // One that goes on over statements, or holds brackets outside of its arguments, is damaged.
    bool isClosedBeforeStatement() const {
        int depth = 0;
        for (std::size_t count = 2;; ++count) {
            const int raw = rawAhead(count);
            if (raw == T::SEMICOLON || raw == T::END) return false;
            if (raw == T::RBRACKET && depth == 0) return rawAhead(count + 1) == T::RBRACKET;
            if (depth == 0 && (raw == T::LBRACE || raw == T::LBRACKET)) return false;
            depth += depthOf(raw);
            if (depth < 0) return false;
        }
    }

    // One token for the whole group; dead unless it is ours.
    void attribute(bool isHpspmd) {
        std::size_t count = 0;
        int depth = 0;
        do {
            const int raw = rawAhead(count);
            if (raw == T::END) break;
            depth += (raw == T::LBRACKET) - (raw == T::RBRACKET);
            ++count;
        } while (depth > 0);
        std::vector<Token> inside;
        if (isHpspmd && count > 4)
            inside.assign(input_.begin() + static_cast<std::ptrdiff_t>(position_) + 2,
                          input_.begin() + static_cast<std::ptrdiff_t>(position_ + count) - 2);
        Token& token = pass(count);
        token.raw = T::HPSPMD_ATTRIBUTE;
        token.dead = !isHpspmd;
        if (!isHpspmd) return;
        token.match = static_cast<int32_t>(stream_.attributes.size());
        stream_.attributes.push_back(std::move(inside));
    }

    // __attribute__((..)), alignas(..), __declspec(..)
    void attributeWord() {
        std::size_t count = 1;
        int depth = 0;
        while (rawAhead(count) != T::END) {
            const int raw = rawAhead(count);
            if (depth == 0 && raw != T::LPAREN) break;
            depth += (raw == T::LPAREN) - (raw == T::RPAREN);
            ++count;
            if (depth == 0) break;
        }
        pass(count).dead = true;
    }

    // "::" with an empty part of a triplet between its colons.
    void scope() {
        const bool slots = top() == 'D' && !(output_[open_.back().token].marks & afterNew);
        const bool inside = slots || (!open_.empty() && open_.back().inTriplet);
        if (!inside || !splitsScope()) {
            pass();
            return;
        }
        Token first = input_[position_++];
        first.raw = T::COLON;
        Token second = first;
        first.end = second.begin = first.begin + 1;
        second.spaceBefore = false;
        output_.push_back(first);
        output_.push_back(second);
    }

    // Behind the '::' of `::lo : hi`: another ':' of the same triplet, of which there are two at
    // most.
    bool isFollowedByColon() const {
        int depth = 0, conditionals = 0;
        for (std::size_t ahead = 1;; ++ahead) {
            const int raw = rawAhead(ahead);
            depth += depthOf(raw);
            if (depth < 0 || raw == T::END || raw == T::SEMICOLON) return false;
            if (depth > 0) continue;
            if (raw == T::COMMA) return false;
            if (raw == T::COLON && conditionals-- == 0) return true;
            if (raw == T::SCOPE && isOperandOfTriplet(rawAhead(ahead + 1))) return true;
            conditionals += raw == T::QUESTION;
        }
    }

    // What never stands behind the '::' of a name.
    static bool isOperandOfTriplet(int raw) {
        static constexpr TokenSet operands{T::NUMBER,   T::LPAREN, T::PLUS_MINUS,
                                           T::RBRACKET, T::COMMA,  T::RPAREN};
        return operands.contains(raw);
    }

    bool splitsScope() const {
        const bool named = rawAhead(1) == T::IDENT;
        switch (previousRaw()) {
        case T::COLON:
            return !named;  // three ':' in a row are in no triplet
        case T::LSLOTS:
        case T::COMMA:
            // a[[::n]] is a step, a[[::N::n]] and a[[::lo : hi]] name something
            return !named || (rawAhead(2) != T::SCOPE && !isFollowedByColon());
        case T::FOR:
            return !named || !isFollowedByColon();
        case T::RPAREN:
        case T::RBRACKET:
        case T::NUMBER:
        case T::RSLOTS:
        case T::BACKQUOTE:
            return true;
        }
        return isOperandOfTriplet(rawAhead(1));
    }

    void less() {
        const bool slotStart =
            previousRaw() == T::LSLOTS || (previousRaw() == T::COMMA && top() == 'D');
        if (rawAhead(1) == T::GREATER && adjacentNext() && slotStart)
            pass(2).raw = T::SPLIT;
        else
            pass();
    }

    void end() {
        while (!open_.empty()) tellNeverClosed();
        pass();
    }

    void tellNeverClosed() {
        const source::Span opener = span(output_[open_.back().token]);
        error(Id::BracketNeverClosed, opener, {std::string(opener.str())});
        open_.pop_back();
    }

    TokenStream& stream_;
    std::vector<Token> input_;
    std::vector<Token> output_;
    std::vector<Open> open_;
    std::size_t position_ = 0;
    std::size_t body_ = 0;  // the next of the branched bodies
    std::vector<BranchedBody> openBodies_;
    std::unordered_set<std::string_view> typeParameters_;  // and classes: every `class S` so far
};

}  // namespace

void pairBrackets(TokenStream& stream) { BracketPass(stream).run(); }

}  // namespace hpcc::syntax
