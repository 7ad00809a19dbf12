// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Node, the processes of this node that can see each other's memory.

#include "watch/board.hpp"

#include <vector>

namespace hpspmd::detail {

/// A process of this node. Its arenas are mapped here too, at other addresses.
struct Neighbour {
    int process = 0;              ///< its number in the initial group
    long id = 0;                  ///< of the operating system
    std::uint64_t startTime = 0;  ///< startTimeOf(id)
    std::byte* memory = nullptr;  ///< its node arena
    std::byte* pages = nullptr;   ///< its private arena, of which only visible pages can be read
    Board* board = nullptr;

    bool isAlive() const;  ///< false if it has been killed, say
};

/// When the process with this number of the operating system was started, in clock ticks since the
/// machine was: no two processes with one number have one time. 0 if there is none,
/// or if the system does not tell.
std::uint64_t startTimeOf(long id);

/// Finds the other processes of this node and maps their memory: all of them or, if that fails
/// anywhere on the node or if the environment variable HPSPMD_NODE_MEMORY is "off", none.
/// Collective over the node.
void exploreNode();

/// Those whose memory is mapped, this process included, in the order of their numbers; empty if
/// none is. The position of this process among them is ownPlace().
const std::vector<Neighbour>& neighbours();
int ownPlace();
/// True if their private memories are mapped, too.
bool visiblePagesAreMapped();
/// The neighbour with this number; null if there is none.
const Neighbour* neighbour(int process);

}  // namespace hpspmd::detail
