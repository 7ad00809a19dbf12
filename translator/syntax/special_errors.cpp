// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SyntaxErrors: damages that get a message of their own.
#include "syntax/syntax_errors.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {

using diagnostics::Id;

int SyntaxErrors::enclosing(int at, int begin) const {
    for (int i = at - 1; i >= begin; --i) {
        if (scan().isCloser(i) && scan().match(i) >= 0 && scan().match(i) < i) {
            i = scan().match(i);
            continue;
        }
        if (openers.contains(raw(i))) return i;
    }
    return -1;
}

bool SyntaxErrors::reportSpecial(int at, const Filter::Damage& damage) {
    const int opener = enclosing(at, damage.begin);
    if (raw(at) == T::COLON && opener >= 0 && isTooLongTriplet(at, opener)) {
        engine_.report(Id::TripletTooLong, span(at));
        return true;
    }
    if (raw(at) == T::ELSE) {
        engine_.report(Id::ElseWithoutIf, span(at));
        return true;
    }
    return reportSlotsBehindName(at) || reportSingleSlots(at) || reportSingleBrackets(at, opener) ||
           reportLoop(at, opener) || reportSlots(at, damage) || reportHeader(at) ||
           reportWord(at, damage) || reportSpacedBrackets(at, damage) || reportBehindSlots(at) ||
           reportSecondHeader(at, opener);
}

// new double [[x]](3.0), double [[-]] const b
bool SyntaxErrors::reportBehindSlots(int at) {
    const int slots = scan().previous(at), opener = scan().match(slots);
    if (raw(slots) != T::RSLOTS || opener < 0) return false;
    const bool isNew = scan().token(opener).marks & afterNew;
    if (isNew && (raw(at) == T::LPAREN || raw(at) == T::LBRACE)) {
        engine_
            .report(Id::UnexpectedTokenExpected, span(at), "'" + std::string(scan().text(at)) + "'",
                    "';'")
            .help("elements get their first values behind it: overall (i = x for :) a[i] = ..");
        return true;
    }
    if (isNew || scan().text(at) != "const") return false;
    const source::Span type{span(at).text, span(scan().previous(opener)).begin, span(slots).end};
    engine_.report(Id::UnexpectedToken, span(at), "'const'")
        .help("elements that stay as they are have it in front: const " + std::string(type.str()));
    return true;
}

// at (i = x[1], j = y[2])
bool SyntaxErrors::reportSecondHeader(int at, int opener) {
    const int word = opener < 0 ? -1 : scan().previous(opener);
    if (raw(at) != T::COMMA || word < 0 || scan().token(word).role != T::AT) return false;
    engine_.report(Id::AtNeedsHeader, span(at))
        .help("one 'at' for each index: at (i = x[1]) at (j = y[2])");
    return true;
}

// double a [[-]]
bool SyntaxErrors::reportSlotsBehindName(int at) {
    if (raw(at) != T::LSLOTS && raw(at) != T::LDIMENSIONS) return false;
    const int name = scan().previous(at), type = scan().previous(name);
    const bool declares =
        raw(name) == T::IDENT && (raw(type) == T::BUILTIN || raw(type) == T::IDENT);
    if (!declares || scan().match(at) < 0) return false;
    for (int i = scan().next(at); i < scan().match(at); i = scan().next(i))
        if (scan().text(i) != "-" && scan().text(i) != "*" && raw(i) != T::COMMA) return false;
    const source::Span slots{span(at).text, span(at).begin, span(scan().match(at)).end};
    engine_.report(Id::SlotsBehindName, slots, scan().text(type), slots.str(), scan().text(name));
    return true;
}

// v[0 : 3]
bool SyntaxErrors::reportSingleBrackets(int at, int opener) {
    if (raw(at) != T::COLON || opener < 0 || raw(opener) != T::LBRACKET) return false;
    engine_.report(Id::SingleBracketSection, span(at));
    return true;
}

// forall (i = x for :), for (i = x for :)
bool SyntaxErrors::reportLoop(int at, int opener) {
    if (raw(at) != T::FOR || opener < 0 || raw(opener) != T::LPAREN) return false;
    const int word = scan().previous(opener), index = scan().next(opener);
    const bool binds = raw(index) == T::IDENT && raw(scan().next(index)) == T::ASSIGN;
    const bool named = raw(word) == T::IDENT || raw(word) == T::FOR;
    if (!binds || !named || scan().name(word) == wordOverall) return false;
    engine_.report(Id::UnknownLoop, span(word), scan().text(word), scan().text(index));
    return true;
}

// The third ':' of a slot or header.
bool SyntaxErrors::isTooLongTriplet(int at, int opener) const {
    const bool header =
        raw(opener) == T::LPAREN && scan().name(scan().previous(opener)) == wordOverall;
    if (raw(opener) != T::LSLOTS && !header) return false;
    int colons = 0;
    for (int i = scan().next(opener); i < at; i = scan().next(i)) {
        if (scan().isOpener(i)) i = scan().match(i);
        if (raw(i) == T::COLON) ++colons;
        if (raw(i) == T::COMMA) colons = 0;
    }
    return colons >= 2;
}

// double [[-,+]] b
bool SyntaxErrors::reportSlots(int at, const Filter::Damage& damage) {
    int opener = raw(at) == T::LSLOTS ? at : enclosing(at, damage.begin);
    if (opener < 0 || raw(opener) != T::LSLOTS || scan().match(opener) < 0) {
        const int before = scan().previous(at);  // behind the "]]": "Foo [[+,-]] b"
        if (raw(before) != T::RSLOTS || raw(at) != T::IDENT) return false;
        opener = scan().match(before);
    }
    if (opener < 0 || raw(opener) != T::LSLOTS || (scan().token(opener).marks & afterNew))
        return false;
    const int type = scan().previous(opener);
    const bool behindType = raw(type) == T::BUILTIN || raw(type) == T::CV ||
                            filter_.names().isType(scan().name(type)) ||
                            (scan().match(opener) >= 0 && raw(scan().behind(opener)) == T::IDENT &&
                             raw(type) == T::IDENT);
    if (!behindType) return false;
    reportBadSlot(opener);
    return true;
}

// At the first slot that is neither '-' nor '*'.
void SyntaxErrors::reportBadSlot(int opener) {
    const int close = scan().match(opener);
    int slot = scan().next(opener);
    for (int i = slot; i < close; i = scan().next(i)) {
        if (raw(i) == T::COMMA) {
            slot = scan().next(i);
            continue;
        }
        const bool alone =
            i == slot && (scan().next(i) == close || raw(scan().next(i)) == T::COMMA);
        if (!alone || (scan().text(i) != "-" && scan().text(i) != "*")) break;
    }
    engine_.report(Id::BadMultiarraySlot, span(slot));
}

bool SyntaxErrors::reportHeader(int at) {
    const int paren = enclosing(at, 0);
    if (paren < 0 || raw(paren) != T::LPAREN) return false;
    const int word = scan().previous(paren);
    const int role = word < 0 ? 0 : scan().token(word).role;
    const auto isType = [this](int token) {
        return raw(token) == T::BUILTIN || raw(token) == T::AUTO || raw(token) == T::CV;
    };
    // overall (int i = 0; ..) is read as a call at first.
    const bool isCall = word >= 0 && scan().text(word) == "overall" && isType(scan().next(paren));
    if (role != T::OVERALL && !isCall) return false;
    const int first = headerBegin(at, paren);
    const int before = scan().previous(at);
    const bool atHeaderStart = before == paren || raw(before) == T::COMMA;
    const bool behindType = scan().previous(before) == paren && raw(at) == T::IDENT &&
                            (raw(before) == T::IDENT || isType(before));
    if ((atHeaderStart && isType(at)) || behindType) {
        const int index = behindType ? at : scan().next(at);
        engine_.report(Id::OverallDeclaresIndex, span(behindType ? before : at),
                       raw(index) == T::IDENT ? scan().text(index) : "i");
        return true;
    }
    for (int i = first; i < at; i = scan().next(i))
        if (raw(i) == T::FOR) return false;
    const int equals = scan().next(first);
    if (raw(first) != T::IDENT || raw(equals) != T::ASSIGN || at <= equals) {
        engine_.report(Id::OverallNeedsHeader, span(at))
            .help("one header for each index: overall (i = x for :, j = y for 1 : n - 2)");
        return true;
    }
    const int range = scan().next(equals);
    if (range >= at) return false;
    int last = range;  // x of x | 1 : n, as HPJava has it
    for (int i = range; i < at && raw(i) != T::BAR; i = scan().next(i)) {
        if (scan().isOpener(i) && scan().match(i) >= 0 && scan().match(i) < at) i = scan().match(i);
        last = i;
    }
    const source::Span text{span(range).text, span(range).begin, span(last).end};
    const bool isTriplet = raw(range) != T::IDENT;  // i = 0 : n - 1
    engine_.report(Id::OverallNeedsFor, span(at), scan().text(first),
                   isTriplet ? "range" : text.str());
    return true;
}

// Where the header around a token begins: behind the parenthesis or a comma.
int SyntaxErrors::headerBegin(int at, int paren) const {
    int first = scan().next(paren);
    for (int i = first; i < at; i = scan().next(i)) {
        if (scan().isOpener(i) && scan().match(i) >= 0 && scan().match(i) < at) i = scan().match(i);
        if (raw(i) == T::COMMA) first = scan().next(i);
    }
    return first;
}

// What to write behind the 'for' of an overall.
std::string SyntaxErrors::tripletAdvice(int at) const {
    const int paren = enclosing(at, 0);
    const int word = paren < 0 ? -1 : scan().previous(paren);
    if (word < 0 || scan().token(word).role != T::OVERALL) return {};
    for (int i = scan().next(paren); i < at; i = scan().next(i))
        if (raw(i) == T::FOR)
            return raw(at) == T::SEMICOLON
                       ? "headers are separated by commas: overall (i = x for :, j = y for :)"
                       : "a triplet is low : high : step, 1 : n - 2 say; ':' alone stands for all";
    return {};
}

// double [-] a
bool SyntaxErrors::reportSingleSlots(int at) {
    const int opener = raw(at) == T::LBRACKET ? at : enclosing(at, 0);
    if (opener < 0 || raw(opener) != T::LBRACKET || scan().match(opener) < 0) return false;
    const int type = scan().previous(opener), close = scan().match(opener);
    const bool declares = (raw(type) == T::BUILTIN || filter_.names().isType(scan().name(type))) &&
                          raw(scan().next(close)) == T::IDENT && scan().next(opener) != close;
    for (int i = scan().next(opener); i < close; i = scan().next(i))
        if (scan().text(i) != "-" && scan().text(i) != "*" && raw(i) != T::COMMA) return false;
    if (!declares) return false;
    const source::Span slots{span(at).text, span(opener).begin, span(close).end};
    const std::string written = "[" + std::string(slots.str()) + "]";
    engine_.report(Id::SingleBracketSlots, slots, scan().text(type), written).fixit(slots, written);
    return true;
}

// "on p {", "at i = x[3]", "at (x[3]) S"
bool SyntaxErrors::reportWord(int at, const Filter::Damage& damage) {
    const NameId word = scan().name(damage.begin);
    if (raw(damage.begin) != T::IDENT || word > wordOn) return false;
    const int second = scan().next(damage.begin);
    if (word == wordOn && at == second && raw(at) == T::IDENT) {
        engine_.report(Id::OnNeedsParentheses, span(at), scan().text(at));
        return true;
    }
    const bool bareHeader = raw(second) == T::IDENT && raw(scan().next(second)) == T::ASSIGN;
    const bool behindParentheses = scan().matched(second, T::LPAREN) && scan().behind(second) == at;
    if (word == wordAt && scan().token(damage.begin).role != T::AT &&
        (at == second || behindParentheses || bareHeader)) {
        engine_.report(Id::AtNeedsHeader, span(second));
        return true;
    }
    if (word == wordOverall && scan().token(damage.begin).role != T::OVERALL &&
        (at == second || behindParentheses || bareHeader)) {
        engine_.report(Id::OverallNeedsHeader, span(second));
        return true;
    }
    const bool behindIndex = raw(second) == T::LPAREN &&
                             scan().previous(at) == scan().next(second) &&
                             raw(scan().next(second)) == T::IDENT;  // overall (i : x)
    if (word == wordOverall && behindIndex && (raw(at) == T::COLON || raw(at) == T::IDENT)) {
        engine_.report(Id::OverallNeedsHeader, span(at));
        return true;
    }
    return false;
}

// double [ [-,-] ] a
bool SyntaxErrors::reportSpacedBrackets(int at, const Filter::Damage& damage) {
    for (int i = damage.begin; i <= at; i = scan().next(i)) {
        const int inner = scan().next(i);
        if (raw(i) == T::END) break;
        const bool pair = raw(i) == T::LBRACKET && raw(inner) == T::LBRACKET;
        if (!pair || !scan().token(inner).spaceBefore) continue;
        engine_.report(Id::SpacedDoubleBracket, span(i), "[[");
        return true;
    }
    return false;
}

}  // namespace hpcc::syntax
