#pragma once

#include <hpspmd/collective.hpp>
#include <map>
#include <vector>

namespace hpspmd::detail::transport {

/// Bytes for, or from, other processes, by their number in the initial group.
using Letters = std::map<int, std::vector<char>>;

/// Sends each member of g its letter and returns those that arrived, by sender; where nobody knows
/// who will write to whom. A letter to oneself arrives too. Collective over g, as part of the
/// collective that was entered: one message of
/// 8 bytes to each other member, and one for each letter.
Letters deliver(const Entered& entered, const Group& g, const Letters& letters);

}  // namespace hpspmd::detail::transport
