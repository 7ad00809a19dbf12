#include "schedule/cache.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

std::uint64_t word(const void* record) { return reinterpret_cast<std::uintptr_t>(record); }

std::vector<std::uint64_t>& reusedWords() {
    static std::vector<std::uint64_t> words;
    words.clear();
    return words;
}

}  // namespace

Key::Key(Kind operation) : words_(reusedWords()) { append(static_cast<std::uint64_t>(operation)); }

Key& Key::add(const Descriptor& array) {
    append(word(array.group.record()));
    fingerprint_ = mixed(fingerprint_, array.group.record()->fingerprint);
    append(static_cast<std::uint64_t>(array.rank));
    for (const Map& map : array) {
        append(word(map.range.record()));
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

ScheduleCache& ScheduleCache::of(const Group& group) {
    void*& slot = group.record()->schedules;
    if (slot == nullptr) slot = new ScheduleCache;  // group records are immortal
    return *static_cast<ScheduleCache*>(slot);
}

Prepared* ScheduleCache::find(const Key& key) {
    for (std::size_t k = 0; k < hashes_.size(); ++k)
        if (hashes_[k] == key.hash() && entries_[k].words == key.words()) {
            entries_[k].lastUse = ++uses_;
            return entries_[k].schedule.get();
        }
    return nullptr;
}

Prepared& ScheduleCache::insert(const Key& key, std::unique_ptr<Prepared> schedule) {
    Entry entry{key.words(), std::move(schedule), ++uses_};
    if (entries_.size() < capacity) {
        hashes_.push_back(key.hash());
        entries_.push_back(std::move(entry));
        return *entries_.back().schedule;
    }
    const auto oldest =
        std::min_element(entries_.begin(), entries_.end(),
                         [](const Entry& a, const Entry& b) { return a.lastUse < b.lastUse; });
    hashes_[oldest - entries_.begin()] = key.hash();
    *oldest = std::move(entry);
    return *oldest->schedule;
}

}  // namespace hpspmd::detail
