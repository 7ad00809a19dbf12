#pragma once

#include <adlib/subscripts.hpp>
#include <hpspmd/active.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "schedule/cache.hpp"

namespace hpspmd::detail {

/// What subscript arrays and a mask hold on this process, copied.
class Contents {
public:
    explicit Contents(const SubscriptArrays& subscripts);

    /// Of arrays with the same layouts: do they hold the same integers?
    bool areIn(const SubscriptArrays& subscripts) const;
    std::size_t size() const { return bytes_.size(); }

private:
    std::vector<Index (*)(const void*, Index)> types_;
    std::vector<char> bytes_;
};

/// The schedules that gather, or scatter, made last, with what they looked at: while the next call
/// looks at the same, its schedule is the same.
template <class Schedule>
class LastMade {
public:
    /// Null if none is known on this process.
    Schedule* find(const Key& key, const SubscriptArrays& subscripts) {
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            if (entries_[k].group != apg() || entries_[k].words != key.words()) continue;
            if (!entries_[k].contents.areIn(subscripts)) continue;
            for (; k > 0; --k) std::swap(entries_[k], entries_[k - 1]);
            return entries_.front().schedule.get();
        }
        return nullptr;
    }

    /// Takes a schedule, until there are others.
    Schedule& keep(const Key& key, const SubscriptArrays& subscripts,
                   std::unique_ptr<Schedule> schedule) {
        Entry entry{apg(), key.words(), Contents(subscripts), std::move(schedule)};
        if (entries_.size() == capacity || isLarge(entry) || hasLarge()) entries_.clear();
        entries_.insert(entries_.begin(), std::move(entry));
        return *entries_.front().schedule;
    }

private:
    static constexpr std::size_t capacity = 8;
    static constexpr std::size_t largeBytes = std::size_t{1} << 20;  // one of these at a time

    struct Entry {
        Group group;
        std::vector<std::uint64_t> words;
        Contents contents;
        std::unique_ptr<Schedule> schedule;
    };

    static bool isLarge(const Entry& entry) { return entry.contents.size() > largeBytes; }
    bool hasLarge() const { return !entries_.empty() && isLarge(entries_.front()); }

    std::vector<Entry> entries_;  // the last used first
};

}  // namespace hpspmd::detail
