// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// DeviceLink, the way from the device of this process to that of another one of the node and back.
/// Elements are put into memory on the receiver's device; flags that the queues of both wait for
/// tell when they are there, and when there is room again. No process waits.

#include "device/sharing.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace hpspmd::detail {

class Backend;
struct Neighbour;

/// Which of the two ends does what, is agreed upon by messages (adlib/device_ghosts.cpp):
/// each offers an inbox, accepts that of the other one, puts a pattern there, and looks at what it
/// has got. The link works if all of that has gone well on both sides.
class DeviceLink {
public:
    /// Of a process, about its inbox: it fits into a short message.
    struct Offer {
        DeviceId device{};
        SharedName memory{};
        std::uint64_t flags = 0;  ///< where they are in its node memory
        std::uint64_t isMade = 0;
    };

    bool works() const { return works_; }
    bool hasFailed() const { return hasFailed_; }
    /// True if there is room for messages of so many bytes that come and go.
    bool holds(std::size_t in, std::size_t out) const {
        return in <= inbox_.capacity && out <= outbox_.capacity;
    }

    Offer offer(Backend& device, std::size_t bytes);
    bool accept(Backend& device, const Offer& theirs, const Neighbour& other, std::size_t bytes);
    bool putPattern(Backend& device);
    bool hasGotPattern(Backend& device, const Offer& theirs);
    void agree(bool works) {
        works_ = works;
        hasFailed_ = !works;
    }
    /// Why it does not work, as far as this end knows.
    const std::string& problem() const { return problem_; }

    /// Where the next message goes, until send(); null if the device fails.
    std::byte* roomForNext(Backend& device);
    bool send(Backend& device);
    /// Where the next message is, until taken(); null if the device fails.
    const std::byte* next(Backend& device);
    bool taken(Backend& device);

private:
    /// Two messages have room.
    struct Box {
        std::byte* memory = nullptr;
        std::size_t capacity = 0;    // of a message
        std::byte* flags = nullptr;  // as the device reaches them
        std::uint32_t messages = 0;  // so far

        std::byte* room() const { return memory + messages % 2 * capacity; }
        std::byte* ready() const { return flags; }
        std::byte* consumed() const { return flags + apart; }
    };
    static constexpr std::size_t apart = 64;  // of flags

    bool fail(std::string problem) {
        problem_ = std::move(problem);
        return false;
    }

    Box inbox_, outbox_;
    std::string problem_ = "the other process finds no way";
    bool works_ = false, hasFailed_ = false;
};

}  // namespace hpspmd::detail
