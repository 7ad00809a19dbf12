// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "syntax/branches.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "syntax/raw_statements.hpp"
#include "syntax/token_set.hpp"

namespace hpcc::syntax {
namespace {

// One #if .. #endif: the directives between which its branches lie.
struct Group {
    std::vector<const Directive*> borders;
};

class Branches {
public:
    Branches(TokenStream& stream, const BranchSet& noCode)
        : stream_(stream), noCode_(noCode), statements_(stream) {}

    std::vector<Directive> run() {
        std::vector<Group> open;
        for (const Directive& directive : stream_.directives) {
            const bool opens =
                directive.kind == DirectiveKind::If || directive.kind == DirectiveKind::IfZero;
            if (opens) open.emplace_back();
            const bool border = opens || directive.kind == DirectiveKind::Else ||
                                directive.kind == DirectiveKind::Endif;
            if (!border || open.empty()) continue;
            open.back().borders.push_back(&directive);
            if (directive.kind != DirectiveKind::Endif) continue;
            decide(open.back());
            open.pop_back();
        }
        for (const Directive& directive : stream_.directives) keepBeforeBody(directive);
        std::ranges::sort(stream_.bodies, [](const BranchedBody& one, const BranchedBody& other) {
            return one.first != other.first ? one.first < other.first : one.end > other.end;
        });
        return std::move(skipped_);
    }

private:
    // Inner groups are decided before outer ones, so that their dead tokens do not count here.
    void decide(const Group& group) {
        std::vector<std::size_t> live;  // the first one is certainly parsed
        for (std::size_t branch = 0; branch + 1 < group.borders.size(); ++branch) {
            const Directive& border = *group.borders[branch];
            if (border.kind == DirectiveKind::IfZero || noCode_.contains(border.span.begin))
                kill(group, branch);
            else
                live.push_back(branch);
        }
        if (isBody(group, live) || live.size() < 2) return;
        bool whole = atBoundary(group.borders[0]->token);
        bool findsIf = true;
        for (const std::size_t branch : live) {
            whole = whole && isWhole(group, branch) && (findsIf || !beginsWithElse(group, branch));
            findsIf = findsIf && findsIfBehind(group, branch);
        }
        if (whole) return;
        for (const std::size_t branch : std::span(live).subspan(1)) {
            skipped_.push_back(*group.borders[branch]);
            kill(group, branch);
        }
    }

    // True if the branches are the body of the construct in front of them, whichever of them is
    // there.
    bool isBody(const Group& group, const std::vector<std::size_t>& live) {
        const uint32_t first = group.borders.front()->token;
        const Directive& endif = *group.borders.back();
        if (first == endif.token) return false;
        const std::size_t last = group.borders.size() - 2;
        bool areAlternatives = group.borders[last]->isElse && !live.empty() && live.back() == last;
        for (const std::size_t branch : live)
            areAlternatives =
                areAlternatives &&
                statements_.isOne(group.borders[branch]->token, group.borders[branch + 1]->token);
        statements_.noteBranches(first, endif.token, areAlternatives);
        if (!areAlternatives || !statements_.isBehindHead(first)) return false;
        const std::optional<uint32_t> begin = startOfLine(*group.borders.front());
        if (begin) stream_.bodies.push_back({first, endif.token, *begin, endif.span.end});
        return begin.has_value();
    }

    // #pragma GCC ivdep, before the body of a construct: it stands in braces with the body.
    void keepBeforeBody(const Directive& directive) {
        const bool isPlain =
            directive.kind == DirectiveKind::Other || directive.kind == DirectiveKind::Define;
        const bool isFirst = std::ranges::none_of(stream_.bodies, [&](const BranchedBody& body) {
            return body.first == directive.token;
        });
        if (!isPlain || !isFirst || stream_.tokens[directive.token].dead) return;
        const std::optional<uint32_t> behind = statements_.endOfBody(directive.token);
        const std::optional<uint32_t> begin = startOfLine(directive);
        if (behind && begin)
            stream_.bodies.push_back(
                {directive.token, *behind, *begin, stream_.tokens[*behind - 1].end});
    }

    // None if a comment stands between them.
    std::optional<uint32_t> startOfLine(const Directive& directive) const {
        const std::string_view text = stream_.text->slice(0, directive.span.begin);
        const std::size_t newline = text.find_last_not_of(" \t");
        if (newline == text.npos || text[newline] != '\n') return std::nullopt;
        return static_cast<uint32_t>(newline) + 1;
    }

    void kill(const Group& group, std::size_t branch) {
        const uint32_t begin = group.borders[branch]->token, end = group.borders[branch + 1]->token;
        for (uint32_t i = begin; i < end; ++i) stream_.tokens[i].dead = true;
        std::erase_if(stream_.bodies, [&](const BranchedBody& body) {
            return body.first >= begin && body.first < end;
        });
    }

    bool isWhole(const Group& group, std::size_t branch) const {
        const uint32_t begin = group.borders[branch]->token, end = group.borders[branch + 1]->token;
        int depth = 0;
        bool any = false;
        for (uint32_t i = begin; i < end; ++i) {
            const Token& token = stream_.tokens[i];
            if (token.dead) continue;
            any = true;
            depth += depthOf(token.raw);
            if (depth < 0) return false;
        }
        return depth == 0 && (!any || atBoundary(end));
    }

    bool beginsWithElse(const Group& group, std::size_t branch) const {
        const std::vector<int> outermost = outermostTokens(group, branch);
        return !outermost.empty() && outermost.front() == T::ELSE;
    }

    // True if an `else` behind this branch would belong to an `if` before or in it. It does if the
    // branch is empty, or of the form `else if (..) ..`.
    bool findsIfBehind(const Group& group, std::size_t branch) const {
        const std::vector<int> outermost = outermostTokens(group, branch);
        if (outermost.empty()) return true;
        if (outermost.front() != T::ELSE) return false;
        const auto last = std::ranges::find(outermost.rbegin(), outermost.rend(), int(T::ELSE));
        return last != outermost.rbegin() && *std::prev(last) == T::IF;
    }

    // The live tokens of a branch that stand in no brackets.
    std::vector<int> outermostTokens(const Group& group, std::size_t branch) const {
        std::vector<int> result;
        int depth = 0;
        for (uint32_t i = group.borders[branch]->token; i < group.borders[branch + 1]->token; ++i) {
            if (stream_.tokens[i].dead) continue;
            const int raw = stream_.tokens[i].raw;
            if (depth == 0) result.push_back(raw);
            depth += depthOf(raw);
        }
        return result;
    }

    // True if the live token before `token` ends a statement, or there is none.
    bool atBoundary(uint32_t token) const {
        while (token > 0 && stream_.tokens[token - 1].dead) --token;
        if (token == 0) return true;
        const int raw = stream_.tokens[token - 1].raw;
        return raw == T::SEMICOLON || raw == T::LBRACE || raw == T::RBRACE;
    }

    TokenStream& stream_;
    const BranchSet& noCode_;
    RawStatements statements_;
    std::vector<Directive> skipped_;
};

}  // namespace

std::vector<Directive> markDeadBranches(TokenStream& stream, const BranchSet& noCode) {
    return Branches(stream, noCode).run();
}

std::optional<source::ByteRange> branchAround(const TokenStream& stream, uint32_t offset) {
    std::vector<uint32_t> open;  // of each #if before the place, the branch
    for (const Directive& directive : stream.directives) {
        const bool isBehind = directive.span.begin > offset;
        switch (directive.kind) {
        case DirectiveKind::If:
        case DirectiveKind::IfZero:
            open.push_back(directive.span.begin);
            break;
        case DirectiveKind::Else:
        case DirectiveKind::Endif:
            if (open.empty()) break;
            if (isBehind && open.back() < offset)
                return source::ByteRange{open.back(), directive.span.begin};
            if (directive.kind == DirectiveKind::Endif)
                open.pop_back();
            else
                open.back() = directive.span.begin;
            break;
        default:
            break;
        }
    }
    return std::nullopt;
}

}  // namespace hpcc::syntax
