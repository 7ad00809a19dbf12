// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

namespace hpspmd::detail {

/// Something that took time.
struct Event {
    std::uint64_t start, end;  ///< ticks
    std::uint64_t bytes;       ///< that were sent
    std::uint32_t site;        ///< its number
    bool isWait;
};

/// The last 2^20 events of a process, in the order in which they ended.
class Events {
public:
    void add(const Event& event) { events_[count_++ % capacity] = event; }
    std::uint64_t dropped() const { return count_ > capacity ? count_ - capacity : 0; }

    template <class Use>
    void forEach(const Use& use) const {
        for (std::uint64_t k = dropped(); k < count_; ++k) use(events_[k % capacity]);
    }

private:
    static constexpr std::uint64_t capacity = std::uint64_t{1} << 20;

    // Pages that are not reached are never there.
    const std::unique_ptr<Event[]> events_{new Event[capacity]};
    std::uint64_t count_ = 0;
};

}  // namespace hpspmd::detail
