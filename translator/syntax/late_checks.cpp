#include "syntax/late_checks.hpp"

#include <algorithm>

namespace hpcc::syntax {
namespace {

using diagnostics::Id;

int tokenAt(const TokenStream& stream, uint32_t offset) {
    const auto found =
        std::lower_bound(stream.tokens.begin(), stream.tokens.end(), offset,
                         [](const Token& token, uint32_t o) { return token.begin < o; });
    return static_cast<int>(found - stream.tokens.begin());
}

bool isDead(const TokenStream& stream, const EarlyError& error) {
    const std::size_t token = std::min<std::size_t>(error.token, stream.tokens.size() - 1);
    if (stream.tokens[token].begin == error.span.begin) return stream.tokens[token].dead;
    const bool before = token > 0 && stream.tokens[token - 1].dead;
    return stream.tokens[token].dead || (before && stream.tokens[token].raw == T::END);
}

// An unclosed literal swallows brackets, so that what is said about brackets may be wrong.
bool swallowsText(Id id) {
    return id == Id::UnterminatedString || id == Id::UnterminatedCharacter ||
           id == Id::UnterminatedRawString || id == Id::UnterminatedComment;
}

bool concernsBrackets(Id id) {
    return id == Id::BracketNeverClosed || id == Id::BracketNotClosedBefore ||
           id == Id::BracketUnmatched || id == Id::DoubleBracketHalfClosed;
}

uint32_t indentation(source::Span span) {
    const std::string_view line = span.text->line(span.position().line);
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? 0 : static_cast<uint32_t>(first);
}

// The '{' whose '}' stands further left than its line begins: most likely its own '}' is missing.
const Token* likelyUnclosed(const TokenStream& stream) {
    for (const Token& closer : stream.tokens) {
        if (closer.raw != T::RBRACE || closer.dead || closer.match < 0) continue;
        const source::Span end{stream.text, closer.begin, closer.end};
        const Token& opener = stream.tokens[closer.match];
        const source::Span begin{stream.text, opener.begin, opener.end};
        const bool firstOnLine = end.position().column == indentation(end) + 1;
        if (firstOnLine && indentation(end) < indentation(begin)) return &opener;
    }
    return nullptr;
}

// Literals and comments of a macro body do not count.
std::string extensionIn(std::string_view body) {
    for (std::size_t i = 0; i < body.size(); ++i) {
        const std::string_view rest = body.substr(i);
        if (rest.starts_with("//")) return "";
        if (rest.starts_with("/*")) {
            const std::size_t end = body.find("*/", i + 2);
            if (end == std::string_view::npos) return "";
            i = end + 1;
        } else if (rest[0] == '"' || rest[0] == '\'') {
            for (++i; i < body.size() && body[i] != rest[0] && body[i] != '\n'; ++i)
                if (body[i] == '\\') ++i;
        } else if (rest[0] == '`') {
            return "'`'";
        } else if (rest.starts_with("[[")) {
            const std::size_t slot = body.find_first_not_of(" \t", i + 2);
            const char first = slot == std::string_view::npos ? ' ' : body[slot];
            if (first == '-' || first == '*' || first == ':' || first == '<' ||
                (first >= '0' && first <= '9'))
                return "'[['";
        } else if (rest.starts_with("overall") &&
                   rest.find_first_not_of(" \t", 7) == rest.find('(')) {
            if (rest.find(" for ") != std::string_view::npos) return "'overall'";
        }
    }
    return "";
}

}  // namespace

void reportEarlyErrors(const TokenStream& stream, diagnostics::Engine& engine) {
    bool literalIsOpen = false;
    for (const EarlyError& error : stream.errors)
        literalIsOpen = literalIsOpen || (swallowsText(error.id) && !isDead(stream, error));
    for (const EarlyError& error : stream.errors) {
        if (isDead(stream, error) || (literalIsOpen && concernsBrackets(error.id))) continue;
        const auto& arguments = error.arguments;
        auto report = [&] {
            switch (arguments.size()) {
            case 0:
                return engine.report(error.id, error.span);
            case 1:
                return engine.report(error.id, error.span, arguments[0]);
            default:
                return engine.report(error.id, error.span, arguments[0], arguments[1], arguments[2],
                                     arguments[3]);
            }
        }();
        if (error.id != Id::BracketNeverClosed || error.span.str() != "{") continue;
        if (const Token* opener = likelyUnclosed(stream))
            report.note({stream.text, opener->begin, opener->end},
                        "judging by the indentation, this '{' is the one that is not closed");
    }
}

void reportSkippedBranches(const TokenStream& stream, const std::vector<Directive>& skipped,
                           diagnostics::Engine& engine) {
    for (const Directive& directive : skipped) {
        const int begin = tokenAt(stream, directive.span.end);
        for (std::size_t i = static_cast<std::size_t>(begin);
             i < stream.tokens.size() && stream.tokens[i].dead; ++i) {
            const bool backquote = stream.tokens[i].raw == T::BACKQUOTE;
            const bool slots =
                i + 2 < stream.tokens.size() && stream.tokens[i].raw == T::LBRACKET &&
                stream.tokens[i + 1].raw == T::LBRACKET && stream.tokens[i + 2].raw != T::IDENT;
            if (!backquote && !slots && stream.tokens[i].name != wordOverall) continue;
            engine.report(
                Id::ExtensionInDeadBranch, directive.span,
                directive.span.str().find("elif") != std::string_view::npos ? "elif" : "else");
            break;
        }
    }
}

void reportMacros(const TokenStream& stream, diagnostics::Engine& engine) {
    for (const Directive& directive : stream.directives) {
        if (directive.kind != DirectiveKind::Define) continue;
        const std::string_view line = directive.span.str();
        const std::size_t begin = line.find_first_not_of(" \t", line.find("define") + 6);
        if (begin == std::string_view::npos) continue;
        const std::size_t end = std::min(line.find_first_of(" \t(\r\n", begin), line.size());
        const std::string found = extensionIn(line.substr(end));
        if (!found.empty())
            engine.report(Id::ExtensionInMacro, directive.span, found,
                          line.substr(begin, end - begin));
    }
}

void reportAttributes(const TokenStream& stream, diagnostics::Engine& engine) {
    for (const auto& tokens : stream.attributes)
        for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
            if (tokens[i].name != wordHpspmd || tokens[i + 1].raw != T::SCOPE) continue;
            const source::Span name{stream.text, tokens[i + 2].begin, tokens[i + 2].end};
            const bool known =
                name.str() == "collective" || name.str() == "local" || name.str() == "refreshes";
            if (!known) engine.report(Id::UnknownAttribute, name, name.str());
        }
}

}  // namespace hpcc::syntax
