// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/fusion.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "analysis/numbers.hpp"
#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/remarks.hpp"
#include "nests/fold.hpp"
#include "nests/fused_form.hpp"
#include "nests/inner_fusion.hpp"
#include "nests/merge.hpp"
#include "nests/nest_rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

/// Finds them; the tree stays as it is.
class Fusion : public NestRewriter {
public:
    Fusion(Context& context, ast::Unit& unit)
        : NestRewriter(context, unit), wantsThreads_(unit.threads) {}

    /// A nest that gets a fast form gets it as a whole.
    NodePtr rewriteOverall(NodePtr overall) override {
        return analysed(overall) ? overall : rewriteChildren(overall);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        rewriteChildren(block);
        // Lines of the preprocessor stand in no node, and must stay where they are.
        if (ast::holdsDirective(block->origin()->text())) return block;
        const auto statements = block->children();
        const Sums sums = sumsIn(statements);
        for (size_t k = 0; k < statements.size();) {
            const Group group = groupAt(statements, k, sums);
            const bool isGroup = group.members.size() > 1;
            if (isGroup) fuse(group);
            k += isGroup ? group.length : 1;
        }
        return block;
    }

private:
    struct Group : FusionGroup {
        std::vector<NodePtr> moved;  // declarations between them, which can stand before them
        size_t length = 0;           // statements, with those
    };

    /// The last place at which each array is summed.
    using Sums = std::unordered_map<std::string_view, size_t>;

    static Sums sumsIn(std::span<const NodePtr> statements) {
        Sums sums;
        for (size_t k = 0; k < statements.size(); ++k)
            if (const NodePtr array = summedArray(statements[k])) sums[array->text()] = k;
        return sums;
    }

    /// The nests from the place k on that can be one.
    Group groupAt(std::span<const NodePtr> statements, size_t first, const Sums& sums) {
        Group group;
        std::vector<NodePtr> between;
        for (size_t k = first; k < statements.size() && group.members.size() < Group::largest;
             ++k) {
            if (!group.members.empty() && mayMove(group, statements[k])) {
                between.push_back(statements[k]);
                continue;
            }
            if (!addMember(group, statements[k], sums, k)) break;
            if (group.members.size() > 1 && !join(group)) {
                group.members.pop_back();
                break;
            }
            group.moved.insert(group.moved.end(), between.begin(), between.end());
            between.clear();
            group.length = k + 1 - first;
        }
        return group;
    }

    static bool mayMove(const Group& group, NodePtr statement) {
        return analysis::declaresPlainNumbers(statement) &&
               std::all_of(group.members.begin(), group.members.end(),
                           [&](const Member& member) { return mayStandBefore(statement, member); });
    }

    /// The nest that the statement at the place k is; false if it is none.
    bool addMember(Group& group, NodePtr statement, const Sums& sums, size_t k) {
        NodePtr overall = statement;
        std::vector<NodePtr> stamps;
        if (isStamped(statement)) {
            stamps.push_back(statement->child(0));
            overall = statement->child(1);
        }
        if (!ast::is<ast::Overall>(overall)) return false;
        const Nest* nest = analysed(overall);
        if (!nest || isSummedBehind(*nest, sums, k)) return false;
        group.members.emplace_back(Member{statement, std::move(stamps), *nest, chainOf(*nest)});
        return true;
    }

    /// Such a nest adds up the sums itself (fold.hpp).
    static bool isSummedBehind(const Nest& nest, const Sums& sums, size_t place) {
        return std::any_of(nest.accesses.begin(), nest.accesses.end(), [&](const Access& access) {
            const auto last = sums.find(nest.arrays[access.array].text);
            return access.writes && last != sums.end() && last->second > place;
        });
    }

    /// True if the last member can run together with those before it.
    bool join(Group& group) {
        const Member &member = group.members.back(),
                     &before = group.members[group.members.size() - 2];
        if (!haveCommonArray(before, member)) return false;
        if (wantsThreads_ && isForThreads(before) != isForThreads(member))
            return leave(member, {member.place(), "runs in one thread, or the nest before does"});
        const auto obstacle = obstacleToJoining(context, group);
        return !obstacle || leave(member, *obstacle);
    }

    bool isForThreads(const Member& member) {
        const Reaches reaches(context, member.nest);
        return std::holds_alternative<Division>(divisionOf(member.nest, reaches));
    }

    bool leave(const Member& member, const Obstacle& obstacle) {
        if (remarks)
            remarks->missed("fusion", member.place(),
                            "this nest does not run together with the one before it",
                            obstacle.place, "because here it " + obstacle.reason);
        return false;
    }

    void fuse(const Group& group) {
        Fused fused{.length = group.length, .moved = group.moved, .depth = group.depth};
        std::vector<NodePtr> statements;
        for (const Member& member : group.members) {
            fused.members.push_back(member.overall());
            statements.push_back(member.statement);
        }
        const Merged merged = merge(context, group.members, group.depth);
        fused.whole = analysed(merged.overall);
        context.taken.clear();
        if (!fused.whole || !cannotFail(context, *fused.whole)) return;
        fused.contracted =
            contractionsOf(context, *fused.whole, merged.body, statements, mentions());
        fused.overall =
            contracted(context, *fused.whole, merged.overall, merged.body, fused.contracted);
        tell(group, fused);
        for (const Member& member : group.members)
            for (const NodePtr stamp : member.stamps)
                fused.stamps.push_back(freshStamp(stamp, fused.stamps));
        addConditions(context, fused, *fused.whole, group.apart);
        plans.groups.emplace(statements.front(), std::move(fused));
    }

    void tell(const Group& group, const Fused& fused) {
        if (!remarks) return;
        std::string text = "this nest runs together with the one before it";
        for (size_t k = 1; k < group.members.size(); ++k)
            remarks->fired("fusion", group.members[k].place(), text);
        for (const Contraction& each : fused.contracted)
            remarks->fired("fusion", group.members.front().place(),
                           "the elements of '" + fused.whole->arrays[each.array].text +
                               "' are not stored, because nothing but the nests behind uses them");
    }

    /// A copy of `const hpspmd::detail::Nest i_nest(..);` under a name of its own.
    NodePtr freshStamp(NodePtr stamp, const std::vector<NodePtr>& others) {
        if (others.empty()) return ast::copy(context.arena, stamp);
        const NodePtr name = stamp->child(ast::Declaration::declarators)
                                 ->child(0)
                                 ->child(ast::InitDeclarator::declarator);
        const std::string fresh = ast::print(name) + "_" + std::to_string(others.size() + 1);
        return withNames(context, stamp, {{ast::print(name), context.names.name(fresh)}});
    }

    bool wantsThreads_;
};

}  // namespace

ast::Unit fusion(ast::Unit unit, ast::Quoter& quote) {
    return innerFusion(rewritten<Fusion>(std::move(unit), quote), quote);
}

}  // namespace hpcc::nests
