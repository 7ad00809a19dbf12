// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/cache.hpp"

#include <algorithm>
#include <hpspmd/observe.hpp>

namespace hpspmd::detail {
namespace {

std::uint64_t word(const void* record) { return reinterpret_cast<std::uintptr_t>(record); }

Prepared* found(Prepared* schedule) {
    if (observer != nullptr) Telling::findsSchedule();
    return schedule;
}

}  // namespace

Key::Parts& Key::reused() {
    static Parts parts;
    parts.words.clear();
    parts.ranges.clear();
    return parts;
}

Key::Key(Kind operation) : parts_(reused()) { append(static_cast<std::uint64_t>(operation)); }

Key& Key::add(const Descriptor& array) {
    append(word(array.group.record()));
    fingerprint_ = mixed(fingerprint_, array.group.record()->fingerprint);
    append(static_cast<std::uint64_t>(array.rank));
    for (const Map& map : array) {
        append(word(map.range.record()));
        parts_.ranges.push_back(map.range);
        append(static_cast<std::uint64_t>(map.stride));
        fingerprint_ = mixed(fingerprint_, map.range.record()->fingerprint);
    }
    return *this;
}

Key& Key::add(Index value) {
    append(static_cast<std::uint64_t>(value));
    fingerprint_ = mixed(fingerprint_, static_cast<std::uint64_t>(value));
    return *this;
}

std::uint64_t Key::hash() const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words()) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

ScheduleCache& ScheduleCache::of(const Group& group) {
    void*& slot = group.record()->schedules;
    if (slot == nullptr) slot = new ScheduleCache;  // group records are immortal
    return *static_cast<ScheduleCache*>(slot);
}

Prepared* ScheduleCache::find(const Key& key) {
    if (entries_.empty()) return nullptr;
    if (const std::size_t next = entries_[last_].next; entries_[next].key == key)
        return found(use(next));
    const std::uint64_t hash = key.hash();
    for (std::size_t k = 0; k < hashes_.size(); ++k)
        if (hashes_[k] == hash && entries_[k].key == key) return found(use(k));
    return nullptr;
}

Prepared* ScheduleCache::use(std::size_t entry) {
    entries_[last_].next = entry;
    last_ = entry;
    entries_[entry].lastUse = ++uses_;
    return entries_[entry].schedule.get();
}

Prepared& ScheduleCache::insert(const Key& key, std::unique_ptr<Prepared> schedule) {
    if (observer != nullptr) Telling::all();  // what finds none is not as usual
    Entry entry{KeptKey(key), std::move(schedule), uses_};
    if (entries_.size() < capacity) {
        hashes_.push_back(key.hash());
        entries_.push_back(std::move(entry));
        return *use(entries_.size() - 1);
    }
    const auto oldest =
        std::min_element(entries_.begin(), entries_.end(),
                         [](const Entry& a, const Entry& b) { return a.lastUse < b.lastUse; });
    hashes_[oldest - entries_.begin()] = key.hash();
    *oldest = std::move(entry);
    return *use(oldest - entries_.begin());
}

}  // namespace hpspmd::detail
