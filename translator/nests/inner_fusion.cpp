// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/inner_fusion.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "ast/copy.hpp"
#include "ast/independent.hpp"
#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "nests/fold.hpp"
#include "nests/fused_form.hpp"
#include "nests/merge.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

using Analyse = std::function<const Nest*(NodePtr)>;

bool isLoop(NodePtr statement) {
    return ast::is<ast::Overall>(statement) || ast::is<ast::For>(statement);
}

/// True if loops stand one behind the other.
bool holdsNeighbours(NodePtr node) {
    const auto parts = node->children();
    for (size_t k = 0; k < parts.size(); ++k)
        if (parts[k] && (holdsNeighbours(parts[k]) || (ast::is<ast::Compound>(node) && k > 0 &&
                                                       isLoop(parts[k - 1]) && isLoop(parts[k]))))
            return true;
    return false;
}

/// Makes one of adjacent loops in a nest.
class Joining : public ast::Rewriter {
public:
    Joining(Context& context, ast::Remarks* remarks, Analyse analyse)
        : Rewriter(context.arena),
          context_(context),
          remarks_(remarks),
          analyse_(std::move(analyse)) {}

    std::vector<NodePtr> bodies;  // of the loops that were several,
    std::vector<NodePtr> places;  // and where those stand that joined the ones before
    NamePairs apart;

    NodePtr rewriteCompound(NodePtr block) override {
        const auto old = block->children();
        std::vector<NodePtr> statements;
        for (size_t k = 0; k < old.size();) {
            const FusionGroup group = groupAt(old, k);
            if (group.members.size() < 2) {
                statements.push_back(rewrite(old[k++]));
                continue;
            }
            k += group.members.size();
            statements.push_back(one(group));
        }
        return ast::rebuild(context_.arena, block, statements);
    }

private:
    FusionGroup groupAt(std::span<const NodePtr> statements, size_t first) {
        FusionGroup group;
        if (first + 1 == statements.size() || !isLoop(statements[first + 1])) return group;
        for (size_t k = first; k < statements.size() && isLoop(statements[k]); ++k) {
            if (group.members.size() == FusionGroup::largest || !add(group, statements[k])) break;
            if (group.members.size() == 1 || join(group)) continue;
            group.members.pop_back();
            break;
        }
        return group;
    }

    bool add(FusionGroup& group, NodePtr loop) {
        const Nest* nest = analyse_(loop);
        std::vector<const Loop*> chain = nest ? chainOf(*nest) : std::vector<const Loop*>();
        if (chain.empty()) return false;
        group.members.emplace_back(Member{loop, {}, *nest, std::move(chain)});
        return true;
    }

    bool join(FusionGroup& group) {
        const Member& member = group.members.back();
        if (!haveCommonArray(group.members[group.members.size() - 2], member)) return false;
        const auto obstacle = obstacleToJoining(context_, group);
        if (obstacle && remarks_)
            remarks_->missed("fusion", member.place(),
                             "this loop does not run together with the one before it",
                             obstacle->place, "because here it " + obstacle->reason);
        return !obstacle;
    }

    NodePtr one(const FusionGroup& group) {
        const Merged merged = merge(context_, group.members, group.depth);
        bodies.push_back(merged.body);
        for (size_t k = 1; k < group.members.size(); ++k)
            places.push_back(group.members[k].place());
        apart.insert(group.apart.begin(), group.apart.end());
        return merged.overall;
    }

    Context& context_;
    ast::Remarks* remarks_;
    Analyse analyse_;
};

void collectSummed(NodePtr node, std::unordered_set<std::string>& names) {
    if (const NodePtr array = summedArray(node)) names.insert(ast::print(array));
    for (const NodePtr child : node->children())
        if (child) collectSummed(child, names);
}

class InnerFusion : public NestRewriter {
public:
    InnerFusion(Context& context, ast::Unit& unit) : NestRewriter(context, unit) {
        if (unit.root) collectSummed(unit.root, summed_);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        stamped_ = isStamped(block) ? block : nullptr;
        return rewriteChildren(block);
    }
    NodePtr rewriteOverall(NodePtr overall) override {
        const NodePtr statement = std::exchange(stamped_, nullptr);
        return join(overall, statement ? statement : overall) ? overall : rewriteChildren(overall);
    }
    /// What is promised of loops is not promised of the one that they become.
    NodePtr rewriteAttributed(NodePtr statement) override {
        return ast::isAssertedIndependent(statement) ? statement
                                                     : NestRewriter::rewriteAttributed(statement);
    }

private:
    /// Notes the nest with fewer loops; false if there is none.
    bool join(NodePtr overall, NodePtr statement) {
        if (!holdsNeighbours(overall)) return false;
        const Nest* old = analysed(overall);
        if (!old || isFolded(*old)) return false;
        Joining joining(context, remarks, [this](NodePtr loop) { return analysed(loop); });
        context.taken.clear();
        NodePtr whole = joining.rewrite(ast::copy(arena(), overall));
        const Nest* nest = joining.bodies.empty() ? nullptr : analysed(whole);
        if (!nest || !cannotFail(context, *nest)) return false;
        Fused fused{.members = {overall}, .whole = old};
        std::vector<Contraction>& contractions = fused.contracted;
        for (const NodePtr body : joining.bodies) {
            const auto found = contractionsOf(context, *nest, body, {statement}, mentions());
            whole = contracted(context, *nest, whole, body, found);
            contractions.insert(contractions.end(), found.begin(), found.end());
        }
        tell(joining.places, *nest, contractions);
        if (contractions.empty()) return false;
        fused.overall = whole;
        addConditions(context, fused, *nest, joining.apart);
        plans.joined.emplace(overall, std::move(fused));
        return true;
    }

    void tell(const std::vector<NodePtr>& loops, const Nest& nest,
              const std::vector<Contraction>& contractions) {
        if (!remarks) return;
        for (const NodePtr loop : loops)
            if (contractions.empty())
                remarks->missed("fusion", loop,
                                "this loop does not run together with the one before it", loop,
                                "because no array between them would vanish");
            else
                remarks->fired("fusion", loop, "this loop runs together with the one before it");
        for (const Contraction& each : contractions)
            remarks->fired("fusion", loops.front(),
                           "the elements of '" + nest.arrays[each.array].text +
                               "' are not stored, because nothing but these loops uses them");
    }

    bool isFolded(const Nest& nest) const {
        return std::ranges::any_of(nest.accesses, [&](const Access& access) {
            return access.writes && summed_.contains(nest.arrays[access.array].text);
        });
    }

    std::unordered_set<std::string> summed_;  // arrays that fast-nests may fold (fold.hpp)
    NodePtr stamped_ = nullptr;               // the block of the nest's stamp and the nest
};

}  // namespace

ast::Unit innerFusion(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<InnerFusion>(std::move(unit), quote);
}

}  // namespace hpcc::nests
