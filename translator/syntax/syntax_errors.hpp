// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Syntax errors in words: one message per damage, and only where HPspmd is involved. Foreign C++
// that the grammar does not know becomes an opaque node instead, silently.
#pragma once

#include "syntax/filter.hpp"

namespace hpcc::syntax {

class SyntaxErrors {
public:
    SyntaxErrors(Filter& filter, diagnostics::Engine& engine) : filter_(filter), engine_(engine) {}

    void syntaxError(const Parser::context& context);
    void tooDeep(const Location& location);
    void checkDepth(NodePtr statement);  // it becomes opaque if it is too deep

private:
    void report(int at, const Parser::context& context, const Filter::Damage& damage);
    bool reportSpecial(int at, const Filter::Damage& damage);
    bool reportSlotsBehindName(int at);
    bool reportSingleBrackets(int at, int opener);
    bool reportLoop(int at, int opener);
    bool reportSlots(int at, const Filter::Damage& damage);
    bool reportSingleSlots(int at);
    bool reportHeader(int at);
    bool reportWord(int at, const Filter::Damage& damage);
    bool reportBehindSlots(int at);
    bool reportSecondHeader(int at, int opener);
    bool reportSpacedBrackets(int at, const Filter::Damage& damage);
    int enclosing(int at, int begin) const;  // the innermost open bracket around a token
    int headerBegin(int at, int paren) const;
    std::string tripletAdvice(int at) const;
    std::string elementAdvice(int at) const;
    bool isTooLongTriplet(int at, int begin) const;
    void reportBadSlot(int opener);
    const Scanner& scan() const { return filter_.scanner(); }
    int raw(int token) const { return scan().raw(token); }
    source::Span span(int token) const { return filter_.stream().spanOf(token); }
    std::string quoted(int token) const;

    Filter& filter_;
    diagnostics::Engine& engine_;
    int reportedEnd_ = -1;  // one past the last damage that was reported
    bool tooDeep_ = false;  // told once: what lies around it is too deep as well
};

}  // namespace hpcc::syntax
