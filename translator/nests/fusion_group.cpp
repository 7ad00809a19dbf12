#include "nests/fusion_group.hpp"

#include <algorithm>

namespace hpcc::nests {

std::optional<Obstacle> obstacleToJoining(Context& context, FusionGroup& group) {
    const Member& member = group.members.back();
    const size_t before = group.members.size() - 1;
    for (const Member* each :
         std::initializer_list<const Member*>{&group.members[before - 1], &member})
        if (const Obstacle obstacle = obstacleTo(context, *each); obstacle.place) return obstacle;
    size_t depth = before > 1 ? group.depth : member.chain.size();
    for (size_t k = 0; k < before; ++k) {
        const auto common = commonDepth(context, group.members[k], member);
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

}  // namespace hpcc::nests
