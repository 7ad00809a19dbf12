// Under what an access inside a nest stands.
#pragma once

#include "check/types.hpp"

#include <vector>

namespace hpcc::check::halo {

// The nodes from the nest down to an access.
std::vector<NodePtr> pathTo(NodePtr access, NodePtr nest);

// A condition that holds, or does not hold, where the path leads; or has the value of a case.
struct Guard {
    NodePtr owner;  // the statement or expression that asks for it
    NodePtr condition;
    bool holds;
    NodePtr value = nullptr;
};

struct Surroundings {
    std::vector<Guard> guards;
    bool isConditional = false;  // may be left out for other reasons, or run several times
};

// Of the last node of a path.
Surroundings surroundingsOf(const std::vector<NodePtr>& path);

}  // namespace hpcc::check::halo
