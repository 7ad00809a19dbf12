#include "syntax/branches.hpp"

namespace hpcc::syntax {
namespace {

// One #if .. #endif: the directives between which its branches lie.
struct Group {
    std::vector<const Directive*> borders;
};

class Branches {
public:
    explicit Branches(TokenStream& stream) : stream_(stream) {}

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
        return std::move(skipped_);
    }

private:
    // Inner groups are decided before outer ones, so that their dead tokens do not count here.
    void decide(const Group& group) {
        std::size_t first = 0;  // the branch that is certainly parsed
        if (group.borders[0]->kind == DirectiveKind::IfZero) {
            kill(group, 0);
            first = 1;
        }
        const std::size_t branches = group.borders.size() - 1;
        if (branches <= first + 1) return;
        bool whole = atBoundary(group.borders[0]->token);
        for (std::size_t branch = first; branch < branches; ++branch)
            whole = whole && isWhole(group, branch);
        if (whole) return;
        for (std::size_t branch = first + 1; branch < branches; ++branch) {
            skipped_.push_back(*group.borders[branch]);
            kill(group, branch);
        }
    }

    void kill(const Group& group, std::size_t branch) {
        for (uint32_t i = group.borders[branch]->token; i < group.borders[branch + 1]->token; ++i)
            stream_.tokens[i].dead = true;
    }

    bool isWhole(const Group& group, std::size_t branch) const {
        const uint32_t begin = group.borders[branch]->token, end = group.borders[branch + 1]->token;
        int depth = 0;
        bool any = false;
        for (uint32_t i = begin; i < end; ++i) {
            const Token& token = stream_.tokens[i];
            if (token.dead) continue;
            any = true;
            if (token.raw == T::LPAREN || token.raw == T::LBRACKET || token.raw == T::LBRACE)
                ++depth;
            if (token.raw == T::RPAREN || token.raw == T::RBRACKET || token.raw == T::RBRACE)
                --depth;
            if (depth < 0) return false;
        }
        return depth == 0 && (!any || atBoundary(end));
    }

    // True if the live token before `token` ends a statement, or there is none.
    bool atBoundary(uint32_t token) const {
        while (token > 0 && stream_.tokens[token - 1].dead) --token;
        if (token == 0) return true;
        const int raw = stream_.tokens[token - 1].raw;
        return raw == T::SEMICOLON || raw == T::LBRACE || raw == T::RBRACE;
    }

    TokenStream& stream_;
    std::vector<Directive> skipped_;
};

}  // namespace

std::vector<Directive> markDeadBranches(TokenStream& stream) { return Branches(stream).run(); }

}  // namespace hpcc::syntax
