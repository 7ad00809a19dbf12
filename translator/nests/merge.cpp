// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nests/merge.hpp"

#include <algorithm>

#include "ast/rewriter.hpp"

namespace hpcc::nests {
namespace {

using ast::NodePtr;

class NameRenaming : public ast::Rewriter {
public:
    NameRenaming(Context& context, const std::map<std::string, std::string>& names)
        : Rewriter(context.arena), context_(context), names_(names) {}

    NodePtr rewriteIdentifier(NodePtr node) override {
        const auto found = names_.find(std::string(node->text()));
        if (found == names_.end()) return node;
        const NodePtr renamed = context_.identifier(found->second, node);
        renamed->type = node->type;
        renamed->symbol = node->symbol;
        return renamed;
    }

private:
    Context& context_;
    const std::map<std::string, std::string>& names_;
};

}  // namespace

NodePtr withNames(Context& context, NodePtr node, const std::map<std::string, std::string>& names) {
    return NameRenaming(context, names).rewrite(ast::copy(context.arena, node));
}

std::vector<const Loop*> chainOf(const Nest& nest) {
    std::vector<const Loop*> chain;
    NodePtr at = nest.loops.front().statement;
    for (auto loop = nest.loopOf.find(at); loop != nest.loopOf.end(); loop = nest.loopOf.find(at)) {
        if (loop->second->kind == Loop::Kind::Other) break;
        chain.push_back(loop->second);
        at = soleStatement(bodyOf(*loop->second));
    }
    return chain;
}

std::optional<Obstacle> obstacleToJoining(Context& context, FusionGroup& group) {
    const Member& member = group.members.back();
    const size_t before = group.members.size() - 1;
    for (const Member* each :
         std::initializer_list<const Member*>{&group.members[before - 1], &member})
        if (const Obstacle obstacle = obstacleTo(context, *each); obstacle.place) return obstacle;
    size_t depth = before > 1 ? group.depth : member.chain.size();
    for (size_t k = 0; k < before; ++k) {
        const auto common = commonDepth(context, group.members[k], member, group.isForTiles);
        if (const Obstacle* obstacle = std::get_if<Obstacle>(&common)) return *obstacle;
        depth = std::min(depth, std::get<size_t>(common));
    }
    for (const Member& each : group.members)
        if (!canBeRenamed(group.members.front(), each, depth))
            return Obstacle{each.place(), "uses the name of an index otherwise"};
    group.depth = depth;
    for (size_t k = 0; k < before; ++k) addPairs(group.apart, group.members[k], member);
    return std::nullopt;
}

Merged merge(Context& context, const std::deque<Member>& members, size_t depth) {
    const std::vector<const Loop*>& loops = members.front().chain;
    const NodePtr origin = members.front().overall();
    std::vector<NodePtr> bodies;
    for (const Member& member : members) {
        std::map<std::string, std::string> names;
        for (size_t k = 0; k < depth; ++k)
            if (member.chain[k]->variable != loops[k]->variable)
                names.emplace(member.chain[k]->variable, loops[k]->variable);
        const Loop& inner = *member.chain[depth - 1];
        bodies.push_back(withNames(context, bodyOf(inner), names));
    }
    Merged merged;
    merged.body = context.statement(
        "{\n"
        "    $bodies;\n"
        "}",
        {{"$bodies", bodies}}, origin);
    merged.overall = merged.body;
    for (size_t k = depth; k-- > 0;)
        merged.overall =
            ast::withChild(context.arena, ast::copy(context.arena, loops[k]->statement),
                           bodySlot(*loops[k]), merged.overall);
    return merged;
}

}  // namespace hpcc::nests
