// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/late_checks.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/search.hpp"
#include "syntax/double_bracket.hpp"

namespace hpcc::syntax {
namespace {

using diagnostics::Id;

int tokenAt(const TokenStream& stream, uint32_t offset) {
    const auto found =
        std::lower_bound(stream.tokens.begin(), stream.tokens.end(), offset,
                         [](const Token& token, uint32_t o) { return token.begin < o; });
    return static_cast<int>(found - stream.tokens.begin());
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

// Which #if are open at a place.
class OpenDirectives {
public:
    explicit OpenDirectives(const TokenStream& stream) {
        const Opened* innermost = nullptr;
        for (const Directive& directive : stream.directives) {
            using Kind = DirectiveKind;
            if (directive.kind == Kind::If || directive.kind == Kind::IfZero)
                innermost = &opened_.emplace_back(directive.span, innermost);
            else if (directive.kind == Kind::Endif && innermost)
                innermost = innermost->around;
            else
                continue;
            places_.emplace_back(directive.span.begin, innermost);
        }
    }

    bool isEmpty() const { return opened_.empty(); }

    // The outermost one of those that begin in the span and are open at its end.
    std::optional<source::Span> cutting(const source::Span& span) const {
        const auto behind =
            std::ranges::lower_bound(places_, span.end, {}, &std::pair<uint32_t, Place>::first);
        std::optional<source::Span> found;
        for (Place each = behind == places_.begin() ? nullptr : std::prev(behind)->second;
             each && each->directive.begin > span.begin; each = each->around)
            found = each->directive;
        return found;
    }

private:
    struct Opened {
        Opened(const source::Span& span, const Opened* outer) : directive(span), around(outer) {}
        source::Span directive;
        const Opened* around;
    };
    using Place = const Opened*;
    std::deque<Opened> opened_;
    std::vector<std::pair<uint32_t, Place>> places_;
};

// True for a template with slots `[[S...]]`: it is written once for each rank.
bool isWrittenPerRank(ast::NodePtr node) {
    return node->is<ast::Template>() && ast::anywhere(node, [](ast::NodePtr each) {
               return each->is<ast::MultiarrayType>() &&
                      std::ranges::any_of(each->child(ast::MultiarrayType::dimensions)->children(),
                                          ast::is<ast::PackExpansion>);
           });
}

}  // namespace

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

void reportCutConstructs(const TokenStream& stream, ast::NodePtr root,
                         diagnostics::Engine& engine) {
    const OpenDirectives open(stream);
    if (open.isEmpty()) return;
    ast::anywhere(root, [&](ast::NodePtr node) {
        if (!ast::isAny<ast::Overall, ast::At, ast::On>(node) && !isWrittenPerRank(node))
            return false;
        const std::optional<source::Span> cutting = open.cutting(node->span());
        if (cutting)
            engine.report(Id::DirectiveLost, *cutting)
                .note(node->span(), "this ends in one of its branches")
                .help(node->is<ast::Template>() ? "put its head into the branch, too"
                                                : "put its body into braces");
        return cutting.has_value();
    });
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

namespace {

// Behind a name: what it does not take, `(x)` of `independent(x)`, and what no comma separates from
// it.
void reportBehindAttribute(const TokenStream& stream, const std::vector<Token>& tokens,
                           std::size_t name, diagnostics::Engine& engine) {
    const std::string_view text = stream.text->slice(tokens[name].begin, tokens[name].end);
    std::size_t end = name + 1;
    int depth = 0;
    for (; end < tokens.size() && (depth > 0 || tokens[end].raw == T::LPAREN); ++end) {
        depth += (tokens[end].raw == T::LPAREN) - (tokens[end].raw == T::RPAREN);
        if (depth == 0 && ++end) break;
    }
    const auto report = [&](std::size_t from, std::size_t to, std::string_view reason) {
        const source::Span span{stream.text, tokens[from].begin, tokens[to - 1].end};
        engine.report(Id::AttributeArgument, span, text, span.str(), reason);
    };
    if (text == "independent" && end > name + 3)
        report(name + 1, end, "what it says holds for the whole nest");
    if (end < tokens.size() && tokens[end].raw != T::COMMA)
        report(end, end + 1, "a comma stands between attributes");
}

}  // namespace

void reportAttributes(const TokenStream& stream, diagnostics::Engine& engine) {
    for (const auto& tokens : stream.attributes)
        for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
            if (tokens[i].name != wordHpspmd || tokens[i + 1].raw != T::SCOPE) continue;
            const source::Span name{stream.text, tokens[i + 2].begin, tokens[i + 2].end};
            if (!isOwnAttribute(name.str()))
                engine.report(Id::UnknownAttribute, name, name.str());
            else
                reportBehindAttribute(stream, tokens, i + 2, engine);
        }
}

}  // namespace hpcc::syntax
