#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "nests/fusable.hpp"

namespace hpcc::nests {

/// Several nests as one.
struct Merged {
    ast::NodePtr overall = nullptr;
    ast::NodePtr body = nullptr;  // the block in the innermost common loop
};

/// With `depth` loops in common; what is inside of them stands one after the other, with the
/// variables of the first nest.
Merged merge(Context& context, const std::deque<Member>& members, size_t depth);

/// A copy with other names for some identifiers.
ast::NodePtr withNames(Context& context, ast::NodePtr node,
                       const std::map<std::string, std::string>& names);

/// A nest, and each loop that is all that the one round it does.
std::vector<const Loop*> chainOf(const Nest& nest);

}  // namespace hpcc::nests
