// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Link, the channels between this process and another one of the node.

#include "links/channel.hpp"

namespace hpspmd::detail {

/// Both directions: `out` ends in this process's memory, `in` in the other one's.
class Link {
public:
    Link(const Outlet& out, const Inlet& in, std::size_t place) : out(out), in(in), place(place) {}

    Outlet out;
    Inlet in;
    std::size_t place;  ///< of the other process on the node

    /// Largest message that the sender copies into memory of its own.
    static constexpr std::size_t roomBytes = std::size_t{1} << 20;

    /// Node memory that goes with the slot of message `number`, to compose the message in; null if
    /// it is too long, or if there is no memory. Only while the slot is free.
    std::byte* room(std::uint64_t number, std::size_t bytes);
    /// Place of an address in this process's visible memory, as a message names it.
    static std::uint64_t placeOf(const void* address);
    /// True if the processes of the node can see these bytes.
    static bool isVisible(const void* data, std::size_t bytes);
    /// Bytes of private memory: lets the processes of the node see them, if possible. Nobody may
    /// write to their pages meanwhile, MPI neither.
    static bool show(const void* data, std::size_t bytes);

private:
    struct Room {
        std::byte* begin = nullptr;
        std::size_t bytes = 0;

        bool grow(std::size_t least);
    };

    Room rooms_[Channel::depth];
};

/// Makes the links of this node, if its processes see each other's memory; `sleeps`: they sleep
/// while they wait. So the choice between links and the transport's messages is the same at each
/// start of a job. Where HPSPMD_LOG is set it is told. Collective over the node, after exploreNode.
void openLinks(bool sleeps);

/// The link to a process; null if messages to it go by the transport.
Link* linkTo(int process);

}  // namespace hpspmd::detail
