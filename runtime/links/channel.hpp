// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Channel, messages from one process to another through memory that both can see. Nothing here
/// knows of processes: the two ends may as well be threads, which is how the protocol is tested.

#include "links/bell.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hpspmd::detail {

/// One direction; lies in the sender's memory; all zero at first. Message number k (from 0) uses
/// slot k mod depth once message k - depth has been taken out of it. The two flags of a slot lie on
/// cache lines of their own sides: `posted` is written by the sender only, with all that the
/// receiver reads at the same time on the same line, `taken` by the receiver only.
struct Channel {
    static constexpr std::size_t depth = 4;
    static constexpr std::size_t inlineBytes = 96;  ///< a message up to this size lies in the slot

    struct alignas(64) Slot {
        std::atomic<std::uint64_t> posted;  ///< 1 + number of the message; written last
        std::uint64_t tag, bytes;
        std::uint64_t place;  ///< of the data in the sender's memory, or one of the following
        char data[inlineBytes];
        alignas(64) std::atomic<std::uint64_t> taken;  ///< 1 + number of the last message taken out
    };
    static constexpr std::uint64_t inSlot = ~std::uint64_t{0};
    static constexpr std::uint64_t elsewhere = inSlot - 1;  ///< it comes another way
    static constexpr std::uint64_t visiblePages = std::uint64_t{1}
                                                  << 62;  ///< added to a place there
    /// Added to the place of a ring through which a long message goes in pieces.
    static constexpr std::uint64_t inPieces = std::uint64_t{1} << 61;

    Slot slots[depth];

    Slot& slot(std::uint64_t number) { return slots[number % depth]; }
};

/// How one side wakes the other one: `bell` is that one's, if he sleeps while he waits, which knows
/// this side by `place`.
struct Ringer {
    Bell* bell = nullptr;
    std::size_t place = 0;

    void ring(Bell::Event event) const {
        if (bell != nullptr) bell->ring(Bell::events(event, place));
    }
    void ringAtOnce() const {
        if (bell != nullptr) bell->ringAtOnce();
    }
};

/// The sender's end. Numbers are given in the order in which messages are promised; they may be
/// posted in any order.
class Outlet {
public:
    Outlet() = default;
    explicit Outlet(Channel* channel, const Ringer& receiver = {})
        : channel_(channel), receiver_(receiver) {}

    std::uint64_t next() const { return next_; }  ///< the number that promise() will give
    std::uint64_t promise() { return next_++; }

    /// True if message `number` may be posted.
    bool isFree(std::uint64_t number) const {
        return number < Channel::depth || isTaken(number - Channel::depth);
    }
    /// Urgent: the receiver must act on it before it gets others, as it must if no slot is left.
    void post(std::uint64_t number, std::uint64_t tag, std::uint64_t bytes, std::uint64_t place,
              bool isUrgent = false) {
        Channel::Slot& slot = channel_->slot(number);
        slot.tag = tag;
        slot.bytes = bytes;
        slot.place = place;
        slot.posted.store(number + 1, std::memory_order_release);
        if (receiver_.bell == nullptr) return;
        if (isUrgent || !isFree(number + 1))
            receiver_.ringAtOnce();
        else
            receiver_.ring(Bell::Posted);
    }
    /// A piece of a message has been written.
    void ring() const { receiver_.ringAtOnce(); }
    /// Where the data of a message lies that is posted inSlot.
    char* dataInSlot(std::uint64_t number) { return channel_->slot(number).data; }
    /// True if the receiver has taken it. Then its data may change.
    bool isTaken(std::uint64_t number) const {
        return channel_->slot(number).taken.load(std::memory_order_acquire) > number;
    }

private:
    Channel* channel_ = nullptr;
    Ringer receiver_;
    std::uint64_t next_ = 0;
};

/// The receiver's end; `memory` is where it sees the sender's, `pages` where the visible pages of
/// its private memory.
class Inlet {
public:
    Inlet() = default;
    Inlet(Channel* channel, const std::byte* memory, const std::byte* pages = nullptr,
          const Ringer& sender = {})
        : channel_(channel), memory_(memory), pages_(pages), sender_(sender) {}

    std::uint64_t expect() { return next_++; }

    /// The message, or null if it has not come.
    const Channel::Slot* arrived(std::uint64_t number) const {
        const Channel::Slot& slot = channel_->slot(number);
        return slot.posted.load(std::memory_order_acquire) == number + 1 ? &slot : nullptr;
    }
    static bool comesInPieces(const Channel::Slot& slot) {
        return slot.place < Channel::elsewhere && (slot.place & Channel::inPieces) != 0;
    }
    /// Where the data of a message lies (unless it comes elsewhere), or its ring, until it is
    /// taken.
    const char* data(const Channel::Slot& slot) const {
        if (slot.place == Channel::inSlot) return slot.data;
        const bool isInPages = (slot.place & Channel::visiblePages) != 0;
        return reinterpret_cast<const char*>(isInPages ? pages_ : memory_) +
               (slot.place & ~(Channel::visiblePages | Channel::inPieces));
    }
    /// A piece of a message has been read.
    void ring() const { sender_.ringAtOnce(); }
    void take(std::uint64_t number) {
        channel_->slot(number).taken.store(number + 1, std::memory_order_release);
        sender_.ring(Bell::Taken);
    }

private:
    Channel* channel_ = nullptr;
    const std::byte* memory_ = nullptr;
    const std::byte* pages_ = nullptr;
    Ringer sender_;
    std::uint64_t next_ = 0;
};

}  // namespace hpspmd::detail
