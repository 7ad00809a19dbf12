// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/subscripts.hpp>
#include <algorithm>
#include <array>
#include <hpspmd/active.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "plan/plan.hpp"
#include "schedule/cache.hpp"

namespace hpspmd::detail {

/// What an array holds on this process, copied.
class Contents {
public:
    explicit Contents(const Operand& array);

    /// True if `array`, which has the same layout, holds the same.
    bool areIn(const Operand& array) const;

private:
    plan::Region held_;  // offsets from data()
    std::vector<char> bytes_;
};

/// What an array of integers holds on this process.
class IntegerContents {
public:
    explicit IntegerContents(const Integers& integers)
        : read_(integers.read), contents_(integers.array) {}

    bool areIn(const Integers& integers) const {
        return integers.read == read_ && contents_.areIn(integers.array);
    }

private:
    Index (*read_)(const Integers&, Index);
    Contents contents_;
};

/// What subscript arrays and a mask hold on this process.
class SubscriptContents {
public:
    explicit SubscriptContents(const SubscriptArrays& subscripts);

    bool areIn(const SubscriptArrays& subscripts) const;

private:
    std::vector<IntegerContents> list_;
    std::optional<Contents> mask_;
};

/// Bytes of subscript arrays and a mask per process, on the average: the same in all processes.
double averageBytes(const SubscriptArrays& subscripts);

/// The schedules that the members of one group made last for gather, or for scatter, with what they
/// looked at. All members keep the same schedules at the same places; but whether its contents are
/// those of a call each member knows for itself only.
template <class Schedule>
class LastMade {
public:
    /// One bit for each schedule kept.
    using Places = std::uint64_t;

    /// True if there is one for arrays with these layouts.
    bool knows(const Key& key) const {
        return std::any_of(entries_.begin(), entries_.end(),
                           [&](const auto& entry) { return entry && entry->key == key; });
    }

    /// Those that were made for what this process has in the subscripts now.
    Places matching(const Key& key, const SubscriptArrays& subscripts) const {
        Places places = 0;
        for (std::size_t k = 0; k < capacity; ++k)
            if (entries_[k] && entries_[k]->key == key && entries_[k]->contents.areIn(subscripts))
                places |= Places{1} << k;
        return places;
    }

    Schedule& at(std::size_t place) { return *entries_[place]->schedule; }

    /// Takes a schedule, in place of the one that was made first, or of all where one is large.
    Schedule& keep(const Key& key, const SubscriptArrays& subscripts,
                   std::unique_ptr<Schedule> schedule) {
        const bool isLarge = averageBytes(subscripts) > largeBytes;
        if (isLarge || holdsLarge_) entries_ = {};
        holdsLarge_ = isLarge;
        std::optional<Entry>& entry = entries_[made_++ % capacity];
        entry.emplace(Entry{KeptKey(key), SubscriptContents(subscripts), std::move(schedule)});
        return *entry->schedule;
    }

private:
    static constexpr std::size_t capacity = 8;
    static constexpr double largeBytes = 1 << 20;  // one of these at a time

    struct Entry {
        KeptKey key;
        SubscriptContents contents;
        std::unique_ptr<Schedule> schedule;
    };

    std::array<std::optional<Entry>, capacity> entries_;
    std::size_t made_ = 0;
    bool holdsLarge_ = false;
};

}  // namespace hpspmd::detail
