#include "nests/fusion.hpp"

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_map>

#include "ast/comments.hpp"
#include "ast/print.hpp"
#include "ast/purity.hpp"
#include "ast/remarks.hpp"
#include "nests/contraction.hpp"
#include "nests/entry_test.hpp"
#include "nests/fold.hpp"
#include "nests/fusable.hpp"
#include "nests/merge.hpp"
#include "nests/nest_rewriter.hpp"
#include "nests/numbers.hpp"
#include "nests/threads.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class Fusion : public NestRewriter {
public:
    using NestRewriter::NestRewriter;

    /// A nest that gets a fast form gets it as a whole.
    NodePtr rewriteOverall(NodePtr overall) override {
        return std::holds_alternative<Nest>(analysed(overall)) ? overall : rewriteChildren(overall);
    }

    NodePtr rewriteCompound(NodePtr block) override {
        const NodePtr rewritten = rewriteChildren(block);
        // Lines of the preprocessor stand in no node, and must stay where they are.
        if (ast::holdsDirective(block->origin()->text())) return rewritten;
        const auto old = rewritten->children();
        const Sums sums = sumsIn(old);
        std::vector<NodePtr> statements;
        for (size_t k = 0; k < old.size();) {
            Group group = groupAt(old, k, sums);
            if (group.members.size() < 2)
                statements.push_back(old[k++]);
            else {
                k += group.length;
                statements.insert(statements.end(), group.moved.begin(), group.moved.end());
                statements.push_back(fused(group));
            }
        }
        return statements.size() == old.size()
                   ? rewritten
                   : context.arena.rebuilt(rewritten, rewritten, statements);
    }

private:
    struct Group {
        std::deque<Member> members;
        std::vector<NodePtr> moved;  // declarations between them, which can stand before them
        size_t length = 0;           // statements, with those
        size_t depth = 0;
        NamePairs apart;
    };

    /// The last place at which each array is summed.
    using Sums = std::unordered_map<std::string_view, size_t>;

    static Sums sumsIn(std::span<const NodePtr> statements) {
        Sums sums;
        for (size_t k = 0; k < statements.size(); ++k)
            if (const NodePtr array = summedArray(statements[k])) sums[array->text()] = k;
        return sums;
    }

    static constexpr size_t largest = 8;  // nests; more would need too many registers

    /// The nests from the place k on that can be one.
    Group groupAt(std::span<const NodePtr> statements, size_t first, const Sums& sums) {
        Group group;
        std::vector<NodePtr> between;
        for (size_t k = first; k < statements.size() && group.members.size() < largest; ++k) {
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
        return declaresPlainNumbers(statement) &&
               std::all_of(group.members.begin(), group.members.end(),
                           [&](const Member& member) { return mayStandBefore(statement, member); });
    }

    /// The nest that the statement at the place k is; false if it is none.
    bool addMember(Group& group, NodePtr statement, const Sums& sums, size_t k) {
        NodePtr overall = statement;
        std::vector<NodePtr> stamps;
        if (ast::is<ast::Compound>(overall) && overall->children().size() == 2 &&
            isStamp(overall->child(0))) {
            stamps.push_back(overall->child(0));
            overall = overall->child(1);
        }
        if (!ast::is<ast::Overall>(overall)) return false;
        auto result = analysed(overall);
        Nest* nest = std::get_if<Nest>(&result);
        if (!nest || isSummedBehind(*nest, sums, k)) return false;
        Member& member =
            group.members.emplace_back(Member{statement, std::move(stamps), std::move(*nest), {}});
        member.chain = chainOf(member.nest);
        return true;
    }

    /// `const hpspmd::detail::Nest i_nest(..);`
    static bool isStamp(NodePtr statement) {
        return ast::is<ast::Declaration>(statement) &&
               ast::print(statement->child(ast::Declaration::specifiers)) ==
                   "const hpspmd::detail::Nest";
    }

    /// Such a nest adds up the sums itself (fold.hpp).
    static bool isSummedBehind(const Nest& nest, const Sums& sums, size_t place) {
        return std::any_of(nest.accesses.begin(), nest.accesses.end(), [&](const Access& access) {
            const auto last = sums.find(nest.arrays[access.array].text);
            return access.writes && last != sums.end() && last->second > place;
        });
    }

    /// Can the last member run together with those before it?
    bool join(Group& group) {
        const Member& member = group.members.back();
        const size_t before = group.members.size() - 1;
        if (!haveCommonArray(group.members[before - 1], member)) return false;
        for (const Member* each :
             std::initializer_list<const Member*>{&group.members[before - 1], &member})
            if (const Obstacle obstacle = obstacleTo(context, *each); obstacle.place)
                return leave(member, obstacle);
        if (isForThreads(group.members[before - 1]) != isForThreads(member))
            return leave(member, {headers(member), "runs in one thread, or the nest before does"});
        size_t depth = before > 1 ? group.depth : member.chain.size();
        for (size_t k = 0; k < before; ++k) {
            const auto common = commonDepth(context, group.members[k], member);
            if (const Obstacle* obstacle = std::get_if<Obstacle>(&common))
                return leave(member, *obstacle);
            depth = std::min(depth, std::get<size_t>(common));
        }
        for (const Member& each : group.members)
            if (!canBeRenamed(group.members.front(), each, depth))
                return leave(member, {headers(each), "uses the name of an index otherwise"});
        group.depth = depth;
        for (size_t k = 0; k < before; ++k) addPairs(group.apart, group.members[k], member);
        return true;
    }

    bool isForThreads(const Member& member) {
        const Reaches reaches(context, member.nest);
        return callInThreads(context, member.nest, reaches, {}, {}).has_value();
    }

    bool leave(const Member& member, const Obstacle& obstacle) {
        if (remarks)
            remarks->missed("fusion", headers(member),
                            "this nest does not run together with the one before it",
                            obstacle.place, "because here it " + obstacle.reason);
        return false;
    }

    static NodePtr headers(const Member& member) {
        return member.overall()->child(ast::Overall::headers);
    }

    NodePtr fused(const Group& group) {
        const NodePtr origin = group.members.front().overall();
        std::vector<NodePtr> statements;
        for (const Member& member : group.members) statements.push_back(member.statement);
        const Merged merged = merge(context, group.members, group.depth);
        const auto result = analysed(merged.overall);
        const Nest* nest = std::get_if<Nest>(&result);
        if (!nest) return ast::sequence(context.arena, statements, origin);
        context.taken.clear();
        Reaches reaches(context, *nest);
        EntryTest test(context, *nest, reaches);
        test.requireReady();
        if (!test.unchecked().empty()) return ast::sequence(context.arena, statements, origin);

        const auto contractions =
            contractionsOf(context, *nest, merged.body, statements, mentions());
        tell(group, *nest, contractions);
        return choice(group, *nest, merged, contractions);
    }

    void tell(const Group& group, const Nest& nest, const std::vector<Contraction>& contractions) {
        if (!remarks) return;
        std::string text = "this nest runs together with the one before it";
        for (size_t k = 1; k < group.members.size(); ++k)
            remarks->fired("fusion", headers(group.members[k]), text);
        for (const Contraction& each : contractions)
            remarks->fired("fusion", headers(group.members.front()),
                           "the elements of '" + nest.arrays[each.array].text +
                               "' are not stored, because nothing but the nests behind uses them");
    }

    NodePtr choice(const Group& group, const Nest& nest, const Merged& merged,
                   const std::vector<Contraction>& contractions) {
        const NodePtr origin = group.members.front().overall();
        Reaches reaches(context, nest);
        const std::vector<NodePtr> conditions = conditionsOf(group, nest, contractions, reaches);
        std::vector<NodePtr> before = reaches.takeDeclarations(), then, otherwise;
        for (const Member& member : group.members) {
            for (const NodePtr stamp : member.stamps) then.push_back(freshStamp(stamp, then));
            otherwise.push_back(member.statement);
        }
        then.push_back(contractions.empty() ? merged.overall
                                            : contracted(context, nest, merged.body, contractions));
        const NodePtr choice = context.statement(
            "if (hpspmd::detail::fused($conditions)) {\n"
            "    $then;\n"
            "} else {\n"
            "    $otherwise;\n"
            "}",
            {{"$conditions", conditions}, {"$then", then}, {"$otherwise", otherwise}}, origin);
        return context.behind(before, choice, origin);
    }

    /// What the entry test of the fused nest does not ask.
    std::vector<NodePtr> conditionsOf(const Group& group, const Nest& nest,
                                      const std::vector<Contraction>& contractions,
                                      Reaches& reaches) {
        const NodePtr origin = group.members.front().overall();
        const auto isGone = [&](size_t array) {
            return std::any_of(contractions.begin(), contractions.end(),
                               [&](const Contraction& each) { return each.array == array; });
        };
        std::vector<NodePtr> conditions;
        for (size_t k = 0; k < nest.arrays.size(); ++k)
            for (size_t l = k + 1; l < nest.arrays.size(); ++l) {
                const std::string &left = nest.arrays[k].text, &right = nest.arrays[l].text;
                if (isGone(k) || isGone(l) || !group.apart.contains(std::minmax(left, right)))
                    continue;
                conditions.push_back(context.expression("hpspmd::detail::disjoint($a, $b)",
                                                        {{"$a", context.identifier(left, origin)},
                                                         {"$b", context.identifier(right, origin)}},
                                                        origin));
            }
        Nest vanished = nest;
        std::erase_if(vanished.accesses, [&](const Access& access) {
            return std::none_of(contractions.begin(), contractions.end(),
                                [&](const auto& each) { return each.array == access.array; });
        });
        if (vanished.accesses.empty()) return conditions;
        EntryTest test(context, vanished, reaches);
        test.requireReady();
        conditions.push_back(test.condition());
        return conditions;
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
};

}  // namespace

ast::Unit fusion(ast::Unit unit, ast::Quoter& quote) {
    return rewritten<Fusion>(std::move(unit), quote);
}

}  // namespace hpcc::nests
