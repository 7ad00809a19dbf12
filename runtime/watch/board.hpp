// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Board, what a process shows to the others of its node.

#include "links/bell.hpp"

#include <hpspmd/collective.hpp>

#include <atomic>
#include <cstdint>
#include <string>

namespace hpspmd::detail {

/// Written by one process, read by others at any time: each value is atomic, and no pointers (texts
/// are copied into it). All zero at first.
struct Board {
    using Word = std::atomic<std::uint64_t>;

    /// A collective that was entered. `number` is written last, and is 0 while the rest changes.
    struct alignas(64) Entry {
        Word number, group, tag;
        std::atomic<std::int32_t> name, file, line;  ///< texts by their index
    };
    /// How many collectives were entered over the group with a fingerprint (0: the slot is free).
    struct Count {
        Word group, entered;
    };

    static constexpr std::size_t entryCount = 64;
    static constexpr std::size_t countCount = 1024;
    static constexpr std::size_t textCount = 512;
    static constexpr std::size_t textLength = 120;

    Word secret;  ///< of the job: tells whether the right memory was mapped

    alignas(64) std::atomic<std::int32_t> ended;  ///< 0: runs; else 1 + its exit status
    std::atomic<std::int32_t> waitsFor;           ///< 1 + the process it waits for; 0: none
    Word waitGroup, waitNumber;                   ///< in this collective
    std::atomic<std::int32_t> speaker;            ///< 1 + the process that reports an error
    std::atomic<std::int32_t> groupsLeftOut;      ///< there were more than countCount
    Word arrayBytes;                              ///< of all its arrays, touched or not
    Word channels;                                ///< place of the transport's, in its memory

    alignas(64) Bell bell;  ///< the owner sleeps on it

    Entry entries[entryCount];  ///< the last ones, over all groups
    Count counts[countCount];
    char texts[textCount][textLength];
};

/// What a board says about one collective.
struct Sighting {
    std::uint64_t entered = 0;  ///< how many over that group
    bool known = true;          ///< false: that number is not on the board
    bool remembered = false;    ///< the rest is known too
    Fingerprint tag = 0;
    std::string name, file;
    int line = 0;
};

/// What a process has shown of the number-th collective over a group.
Sighting sight(const Board& board, Fingerprint group, std::uint64_t number);

/// What a process has shown of a collective with that tag, if it is still remembered.
Sighting sightTag(const Board& board, Fingerprint tag);

/// This process's; lies in node memory, if there is such.
Board& ownBoard();

}  // namespace hpspmd::detail
