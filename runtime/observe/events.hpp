// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

namespace hpspmd::detail {

/// Something that took time, or one end of a message.
struct Event {
    enum Kind : std::uint8_t { Site, Wait, Departure, Arrival };

    std::uint64_t start, end;  ///< ticks
    std::uint64_t bytes;       ///< that were sent; of a message: its number
    std::uint32_t site;        ///< its number; of a message: the other process
    Kind kind;
};

/// Of the events of a process the last 2^20, or the first so many, in the order in which they
/// ended.
class Events {
public:
    explicit Events(bool keepsFirst) : keepsFirst_(keepsFirst) {}

    void add(const Event& event) {
        if (!keepsFirst_ || count_ < capacity) events_[count_++ % capacity] = event;
    }

    template <class Use>
    void forEach(const Use& use) const {
        const std::uint64_t dropped = count_ > capacity ? count_ - capacity : 0;
        for (std::uint64_t k = dropped; k < count_; ++k) use(events_[k % capacity]);
    }

private:
    static constexpr std::uint64_t capacity = std::uint64_t{1} << 20;

    const bool keepsFirst_;
    // Pages that are not reached are never there.
    const std::unique_ptr<Event[]> events_{new Event[capacity]};
    std::uint64_t count_ = 0;
};

}  // namespace hpspmd::detail
