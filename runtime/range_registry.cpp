// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "range_registry.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace hpspmd::detail {
namespace {

using FormatKey = std::tuple<std::string_view, Index, int, std::vector<Index>>;

struct RangeHash {
    std::size_t operator()(const RangeRecord& x) const {
        std::size_t hash = std::hash<const void*>()(x.format);
        const auto mix = [&hash](auto part) {
            hash = hash * 0x9E3779B97F4A7C15u + std::hash<decltype(part)>()(part);
        };
        mix(x.dimension), mix(x.base), mix(x.stride), mix(x.extent), mix(x.lo), mix(x.hi);
        return hash ^ (hash >> 29);
    }
};

struct RangeEqual {
    static auto key(const RangeRecord& x) {
        return std::tie(x.format, x.dimension, x.base, x.stride, x.extent, x.lo, x.hi);
    }
    bool operator()(const RangeRecord& x, const RangeRecord& y) const { return key(x) == key(y); }
};

struct CountedFormat {
    std::unique_ptr<Format> format;
    Index ranges = 0;  // that have it
};

struct Registry {
    std::mutex mutex;
    std::map<FormatKey, CountedFormat> formats;
    std::unordered_set<RangeRecord, RangeHash, RangeEqual> ranges;
    std::array<std::atomic<const RangeRecord*>, 256> recent{};  // immortal ones, by hash
    std::size_t immortal = 1024;                                // so many may still be made
    std::size_t leastSweep = 1024;  // counted ones, below which nothing is swept
    std::size_t counted = 0, nextSweep = leastSweep;
};

/// What a process holds of all of a format; nothing if the slots are no neighbours, or blocks are
/// not dealt in turn.
Slots slotsOf(const Format& format, int crd) {
    const int count = format.blockCount(crd);
    if (count < 1) return {};
    const Block first = format.block(crd, 0);
    if (first.count < 1 || first.globalStep < 1 || first.localStep != 1) return {};
    const Index low = first.localBase, high = low + first.count - 1;
    if (count == 1)
        return {low, high, first.globalBase - low * first.globalStep, 1, first.globalStep};
    Slots all{low, high, first.globalBase, first.count,
              (format.block(crd, 1).globalBase - first.globalBase) / first.count};
    if (low != 0 || first.globalStep != 1 || all.scale < 1) return {};
    for (int k = 1; k < count; ++k) {
        const Block block = format.block(crd, k);
        const bool isNext = block.localBase == all.high + 1 && block.localBase == k * all.width &&
                            block.globalBase == all.global(block.localBase) && block.count >= 1 &&
                            block.count <= all.width && block.globalStep == 1 &&
                            block.localStep == 1;
        if (!isNext) return {};
        all.high += block.count;
    }
    return all;
}

/// RangeRecord::held.
Slots heldOf(const RangeRecord& x) {
    const int crd = x.dimension->crd;
    if (x.stride != 1 || crd < 0) return {};
    Slots held = slotsOf(*x.format, crd);
    if (held.low > held.high) return {};
    held.origin -= x.base;
    held.low = std::max(held.low, held.notBelow(0));
    held.high = std::min(held.high, held.notBelow(x.extent) - 1);
    return held;
}

Fingerprint fingerprintOf(const Format& format) {
    Fingerprint print = mixed(0, format.name());
    print = mixed(print, static_cast<std::uint64_t>(format.extent()));
    for (const Index parameter : format.parameters())
        print = mixed(print, static_cast<std::uint64_t>(parameter));
    return print;
}

Fingerprint fingerprintOf(const RangeRecord& x) {
    const GridRecord* const grid = x.dimension->grid;
    Fingerprint print = mixed(fingerprintOf(*x.format), grid ? grid->fingerprint : 0);
    for (const Index part : {Index{x.dimension->axis}, x.base, x.stride, x.extent, x.lo, x.hi})
        print = mixed(print, static_cast<std::uint64_t>(part));
    return print;
}

RangeRecord wholeOf(const RangeRecord& x) {
    RangeRecord whole;
    whole.format = x.format;
    whole.dimension = x.dimension;
    whole.extent = x.format->extent();
    return whole;
}

// Never destroyed: static arrays may outlive everything.
Registry& registry() {
    static Registry& instance = *new Registry;
    return instance;
}

FormatKey keyOf(const Format& format) {
    return {format.name(), format.extent(), format.processes(), format.parameters()};
}

// Frees the counted records that nobody keeps; how many.
std::size_t sweepOnce(Registry& registry) {
    std::size_t swept = 0;
    for (auto x = registry.ranges.begin(); x != registry.ranges.end();) {
        if (!x->isCounted || x->isKept()) {
            ++x;
            continue;
        }
        if (x->whole != &*x) x->whole->drop();
        const auto format = registry.formats.find(keyOf(*x->format));
        if (--format->second.ranges == 0) registry.formats.erase(format);
        x = registry.ranges.erase(x);
        ++swept;
    }
    return swept;
}

// What goes may have kept others: the range of all of the format, the one that whole() was asked
// of.
void sweep(Registry& registry) {
    while (const std::size_t swept = sweepOnce(registry)) registry.counted -= swept;
    const bool atOnce = registry.leastSweep == 0;
    registry.nextSweep = atOnce ? 0 : std::max(registry.leastSweep, 2 * registry.counted);
}

const RangeRecord* intern(Registry& registry, const RangeRecord& range) {
    const auto found = registry.ranges.find(range);
    if (found != registry.ranges.end()) return &*found;
    RangeRecord record = range;
    record.held = heldOf(range);
    if (record.held.scale == 1 && record.held.low <= record.held.high)
        record.run = {record.held.high - record.held.low + 1, record.held.global(record.held.low),
                      1, record.held.low, 1};
    record.isWhole = range.format->isWhole();
    record.fingerprint = fingerprintOf(range);
    const RangeRecord whole = wholeOf(range);
    const bool isWhole = RangeEqual()(range, whole);
    if (!isWhole) {
        record.whole = intern(registry, whole);
        record.whole->keep();
    }
    record.isCounted = registry.immortal == 0;
    if (record.isCounted)
        ++registry.counted;
    else
        --registry.immortal;
    ++registry.formats.at(keyOf(*range.format)).ranges;
    const RangeRecord* const made = &*registry.ranges.insert(record).first;
    if (isWhole) const_cast<RangeRecord*>(made)->whole = made;  // no part of what it is found by
    return made;
}

}  // namespace

Range internRange(const RangeRecord& x) {
    Registry& all = registry();
    std::atomic<const RangeRecord*>& recent = all.recent[RangeHash()(x) % all.recent.size()];
    const RangeRecord* const known = recent.load(std::memory_order_acquire);
    if (known != nullptr && RangeEqual()(*known, x)) return Range(known);
    const std::lock_guard lock(all.mutex);
    const Range result(intern(all, x));
    if (!result.record()->isCounted) recent.store(result.record(), std::memory_order_release);
    if (all.counted > all.nextSweep) sweep(all);
    return result;
}

Range internRange(std::unique_ptr<Format> format, RangeRecord x) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    FormatKey key = keyOf(*format);
    x.format = all.formats.try_emplace(std::move(key), CountedFormat{std::move(format)})
                   .first->second.format.get();
    const Range result(intern(all, x));
    if (all.counted > all.nextSweep) sweep(all);
    return result;
}

void keepNoRanges() {
    const std::lock_guard lock(registry().mutex);
    registry().immortal = registry().leastSweep = registry().nextSweep = 0;
}

std::size_t rangeCount() {
    const std::lock_guard lock(registry().mutex);
    return registry().ranges.size();
}

std::size_t formatCount() {
    const std::lock_guard lock(registry().mutex);
    return registry().formats.size();
}

}  // namespace hpspmd::detail
