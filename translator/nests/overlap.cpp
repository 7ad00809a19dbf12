#include "nests/overlap.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "nests/fast_form.hpp"
#include "nests/halo_call.hpp"
#include "nests/merge.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/numbers.hpp"
#include "nests/overlapped.hpp"
#include "nests/splitting.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Overlaps : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    /// Nothing is exchanged inside of a fast form.
    NodePtr rewriteIf(NodePtr choice) override {
        return isFastForm(choice) ? choice : rewriteChildren(choice);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr rewritten = rewriteChildren(block);
        // Lines of the preprocessor stand in no node, and must stay where they are.
        if (ast::holdsDirective(block->origin()->text())) return rewritten;
        std::vector<NodePtr> statements;
        const auto old = rewritten->children();
        for (size_t k = 0; k < old.size(); ++k) {
            const auto halo = haloCallIn(old[k]);
            const size_t nest = halo ? nestBehind(old, k) : 0;
            const NodePtr overlapped = nest ? overlap(*halo, old[nest]) : nullptr;
            if (!overlapped) {
                statements.push_back(old[k]);
                continue;
            }
            statements.insert(statements.end(), old.begin() + k + 1, old.begin() + nest);
            statements.push_back(overlapped);
            k = nest;
        }
        return statements.size() == old.size() && std::ranges::equal(statements, old)
                   ? rewritten
                   : context.arena.rebuilt(rewritten, rewritten, statements);
    }

private:
    /// The place of the nest behind the statement at k, with numbers declared between them; 0 if
    /// something else stands there.
    static size_t nestBehind(std::span<const NodePtr> statements, size_t k) {
        for (++k; k < statements.size() && declaresPlainNumbers(statements[k]);) ++k;
        return k < statements.size() && fastFormIn(statements[k]).nest ? k : 0;
    }

    NodePtr overlap(const HaloCall& halo, NodePtr statement) {
        const FastForm form = fastFormIn(statement);
        const NodePtr headers = form.nest->child(ast::Overall::headers);
        if (!form.choice) return leave(halo, {headers, "has no fast form"});
        const NodePtr whole = form.fused.empty() ? form.nest : mergedNest(form.fused);
        if (!whole) return leave(halo, {headers, "runs together with the one behind it"});
        const auto result = analysed(whole);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&result))
            return leave(halo, *obstacle);
        const Nest& nest = std::get<Nest>(result);
        const auto splitting = splittingOf(context, nest, halo.arrays);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&splitting))
            return leave(halo, *obstacle);
        if (!form.call) return leave(halo, {headers, "assigns a number and may fail in between"});
        if (remarks)
            remarks->fired("overlap", halo.statement,
                           "the ghost cells of " + arraysOf(halo) +
                               " travel while the interior of the nest behind runs, where a "
                               "measurement shows that this pays");
        return overlapped(context, halo, form, nest, std::get<Splitting>(splitting), statement);
    }

    /// What fusion has made of these nests, but for temporaries; null if that cannot be told. Of
    /// one nest with fewer inner loops it.
    NodePtr mergedNest(const std::vector<NodePtr>& nests) {
        if (nests.size() == 1) return nests.front();
        std::deque<Member> members;
        size_t depth = std::numeric_limits<size_t>::max();
        for (const NodePtr overall : nests) {
            if (!overall) return nullptr;
            auto result = analysed(overall);
            Nest* nest = std::get_if<Nest>(&result);
            if (!nest) return nullptr;
            Member& member = members.emplace_back(Member{overall, {}, std::move(*nest), {}});
            member.chain = chainOf(member.nest);
            for (size_t k = 0; k + 1 < members.size(); ++k) {
                const auto common = commonDepth(context, members[k], member);
                const size_t* loops = std::get_if<size_t>(&common);
                if (!loops) return nullptr;
                depth = std::min(depth, *loops);
            }
        }
        return merge(context, members, depth).overall;
    }

    static std::string arraysOf(const HaloCall& halo) {
        std::string result;
        for (const std::string& array : halo.arrays)
            result += (result.empty() ? "'" : ", '") + array + "'";
        return result;
    }

    NodePtr leave(const HaloCall& halo, const Obstacle& obstacle) {
        if (remarks)
            remarks->missed("overlap", halo.statement,
                            "the ghost cells of " + arraysOf(halo) +
                                " are exchanged before the nest behind begins",
                            obstacle.place, "because here it " + obstacle.reason);
        return nullptr;
    }
};

}  // namespace

ast::Unit overlap(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<Overlaps>(std::move(unit), quote);
}

}  // namespace hpcc::nests
