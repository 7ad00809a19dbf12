// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <hpspmd/descriptor.hpp>
#include <memory>
#include <vector>

#include "schedule/prepared.hpp"

namespace hpspmd::detail {

/// The operations that have schedules.
enum class Kind : std::uint64_t {
    Remap,
    Assemble,
    Copy,
    Shift,
    WriteHalo,
    WriteHalos,
    Transpose,
    Skew,
    Reduction,
    DimensionReduction,
    Scan,
    Gather,
    Scatter,
    Overlap,
    Fence,
    Access
};

/// What identifies a schedule: the operation, the descriptors and its parameters, as plain words.
/// Never the call site and never an address of elements. There is one key at a time: building it
/// reuses the memory of the one before.
class Key {
public:
    explicit Key(Kind operation);
    Key& add(const Descriptor& array);
    Key& add(Index value);

    std::uint64_t hash() const;
    /// The same for all processes that make the same call.
    Fingerprint fingerprint() const { return fingerprint_; }
    const std::vector<std::uint64_t>& words() const { return parts_.words; }
    /// Whose addresses are among the words.
    const std::vector<BorrowedRange>& ranges() const { return parts_.ranges; }

private:
    struct Parts {
        std::vector<std::uint64_t> words;
        std::vector<BorrowedRange> ranges;
    };

    static Parts& reused();
    void append(std::uint64_t word) { parts_.words.push_back(word); }

    Parts& parts_;
    Fingerprint fingerprint_ = 0;
};

/// A key that stays. It keeps the ranges that it names: no other one comes to have their addresses,
/// and if they are made again they are the same, in all processes alike.
class KeptKey {
public:
    KeptKey() = default;
    explicit KeptKey(const Key& key)
        : words_(key.words()), ranges_(key.ranges().begin(), key.ranges().end()) {}

    friend bool operator==(const KeptKey& a, const Key& b) { return a.words_ == b.words(); }

private:
    std::vector<std::uint64_t> words_;
    std::vector<Range> ranges_;
};

/// The schedules that the members of one group used last. What is found and what is dropped depends
/// only on the sequence of collectives over the group, so all members agree.
class ScheduleCache {
public:
    static constexpr std::size_t capacity = 256;

    /// The cache of a group; lives as long as the process.
    static ScheduleCache& of(const Group& group);

    /// The schedule with this key, or null. Loops call the same operations again in the same order,
    /// so the schedule that followed the last one before is tried first.
    Prepared* find(const Key& key);

    /// Keeps a schedule, in place of the one whose last use is longest ago if there are too many.
    Prepared& insert(const Key& key, std::unique_ptr<Prepared> schedule);

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        KeptKey key;
        std::shared_ptr<Prepared> schedule;
        std::uint64_t lastUse;
        std::size_t next = 0;  // the entry that was used after this one
    };

    Prepared* use(std::size_t entry);

    std::vector<std::uint64_t> hashes_;  // of the entries, apart from them to be searched quickly
    std::vector<Entry> entries_;
    std::uint64_t uses_ = 0;
    std::size_t last_ = 0;  // the entry that was used last
};

/// The schedule of `key` in the group's cache; make() returns a new one. One operation has one
/// class of schedules, so the key tells the class.
template <class Schedule, class Make>
Schedule& cached(const Group& group, const Key& key, const Make& make) {
    ScheduleCache& cache = ScheduleCache::of(group);
    Prepared* found = cache.find(key);
    return static_cast<Schedule&>(found != nullptr ? *found : cache.insert(key, make()));
}

}  // namespace hpspmd::detail
