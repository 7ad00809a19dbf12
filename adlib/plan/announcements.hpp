// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hpspmd::detail::plan {

/// Member `from` of a group will write so many bytes to member `to`, who does not know that yet.
struct Announcement {
    int from = 0, to = 0;  ///< ranks in the group
    std::uint64_t bytes = 0;

    friend bool operator==(const Announcement&, const Announcement&) = default;
};

/// What is sent in each round: how many announcements, and the first of them.
struct Packet {
    std::uint64_t count = 0;
    std::array<Announcement, 7> first;

    static constexpr std::size_t room = std::tuple_size_v<decltype(first)>;
};

/// Bytes of the announcements that find no room in the packet of a round.
constexpr std::size_t bytesBehind(std::uint64_t count) {
    return count > Packet::room ? (count - Packet::room) * sizeof(Announcement) : 0;
}

/// How all members learn who writes to them, by messages to few: in rounds with step = 1, 2, 4, ..
/// below `size`, each member passes some of the announcements that it holds on to the member `step`
/// ranks further, round the group, and gets some from the one `step` ranks before. This takes those
/// out of `held`: of which the way that is left, (to - rank) modulo size, has the bit `step`. What
/// is held after the last round is one's own. An announcement makes at most log2(size) steps.
/// Example: 6 members, from 1 to 0, a way of 5 = 1 + 4: by way of 2 in round 1, to 0 in round 4.
std::vector<Announcement> takePassedOn(std::vector<Announcement>& held, int rank, int size,
                                       int step);

}  // namespace hpspmd::detail::plan
