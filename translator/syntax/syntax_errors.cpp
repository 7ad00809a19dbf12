// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/syntax_errors.hpp"

#include <algorithm>
#include <array>

namespace hpcc::syntax {

using diagnostics::Id;

namespace {

// What the parser could go on with, in words for the user; "" if there is too much to name.
std::string expectedWords(const Parser::context& context) {
    std::array<Parser::symbol_kind_type, 128> kinds;
    const int count = context.expected_tokens(kinds.data(), static_cast<int>(kinds.size()));
    std::vector<std::string> closers, others;
    bool expression = false;
    for (int i = 0; i < count; ++i) {
        const std::string name = Parser::symbol_name(kinds[static_cast<std::size_t>(i)]);
        if (name == "'for'" && count < 40) return name;
        const bool internal = name.find(" of ") != std::string::npos || name.starts_with("a C++") ||
                              name.starts_with("a leading") || name == "a macro" ||
                              name == "a type name" || name == "a declaration" ||
                              name == "nothing" || name == "a constructor";
        if (internal) continue;
        expression = expression || name == "a number";
        const bool closer = name == "')'" || name == "']'" || name == "']]'" || name == "';'" ||
                            name == "':'" || name == "'}'";
        (closer ? closers : others).push_back(name);
    }
    std::vector<std::string> words = closers;
    if (expression)
        words.emplace_back("an expression");
    else if (others.size() + closers.size() <= 5)
        words.insert(words.end(), others.begin(), others.end());
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
}

void advise(diagnostics::Report report, const std::string& advice) {
    if (!advice.empty()) report.help(advice);
}

}  // namespace

std::string SyntaxErrors::quoted(int token) const {
    if (raw(token) == T::END) return "end of file";
    const std::string text(scan().text(token));
    return "'" + (text.size() <= 40 ? text : text.substr(0, 37) + "...") + "'";
}

void SyntaxErrors::syntaxError(const Parser::context& context) {
    const int at = std::max(0, context.location().first);
    const Filter::Damage damage = filter_.startRecovery(at);
    if (!damage.isOurs) {
        reportSingleSlots(at);
        return;
    }
    const bool repeated = at < reportedEnd_;
    reportedEnd_ = std::max(reportedEnd_, damage.end);
    if (!repeated) report(at, context, damage);
}

void SyntaxErrors::tooDeep(const Location& location) {
    engine_.report(Id::NestedTooDeeply, span(std::max(0, location.first)), deepestTree);
}

void SyntaxErrors::checkDepth(NodePtr statement) {
    if (statement->depth() <= deepestTree) return;
    int begin = 0, end = 0;
    scan().tokensIn(statement->span(), begin, end);
    if (tooDeep_ || !scan().involvesExtension(begin, end)) return;
    tooDeep_ = true;
    engine_.report(Id::NestedTooDeeply, statement->span(), deepestTree);
}

void SyntaxErrors::report(int at, const Parser::context& context, const Filter::Damage& damage) {
    if (reportSpecial(at, damage)) return;
    const std::string expected = expectedWords(context);
    const int before = scan().previous(at);
    const bool newLine = before >= 0 && span(before).position().line != span(at).position().line;
    const bool semicolon = expected.find("';'") != std::string::npos;
    if (semicolon && before >= 0 && (newLine || raw(at) == T::RBRACE)) {
        engine_.report(Id::MissingToken, source::behind(span(before)), "';'", quoted(before))
            .fixit(source::behind(span(before)), ";");
        return;
    }
    if (expected.empty())
        engine_.report(Id::UnexpectedToken, span(at), quoted(at));
    else
        advise(engine_.report(Id::UnexpectedTokenExpected, span(at), quoted(at), expected),
               tripletAdvice(at) + elementAdvice(at));
}

// int [[-]] [3] a, int [3] [[-]] a, new int [[x]] [3]
std::string SyntaxErrors::elementAdvice(int at) const {
    const auto opensSlots = [&](int token) {
        return raw(token) == T::LSLOTS || raw(token) == T::LDIMENSIONS;
    };
    const int before = scan().previous(at), close = scan().match(at);
    if (raw(at) != T::LBRACKET || before < 0 || close < 0) return "";
    const int slots = scan().isCloser(before) ? scan().match(before) : -1;
    const bool isBehind = slots >= 0 && opensSlots(slots);
    if (!isBehind && !opensSlots(scan().next(close))) return "";
    const std::string type(scan().text(isBehind ? scan().previous(slots) : before));
    const std::string extent(scan().text(scan().next(at)));
    return "the elements of a multiarray are no C arrays: write std::array<" + type + ", " +
           extent + "> for them";
}

}  // namespace hpcc::syntax
