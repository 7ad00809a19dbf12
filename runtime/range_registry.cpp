// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "range_registry.hpp"

#include <algorithm>
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

struct Registry {
    std::mutex mutex;
    std::map<FormatKey, std::unique_ptr<Format>> formats;
    std::unordered_set<RangeRecord, RangeHash, RangeEqual> ranges;
};

// RangeRecord::run of x.
Block runOf(const RangeRecord& x) {
    const int crd = x.dimension->crd;
    if (x.stride != 1 || crd < 0 || x.format->blockCount(crd) != 1) return {};
    const Block held = x.format->block(crd, 0);
    if (held.globalStep != 1 || held.localStep != 1) return {};
    const Index from = std::max(held.globalBase, x.base);
    const Index end = std::min(held.globalBase + held.count, x.base + x.extent);
    if (from >= end) return {};
    return {end - from, from - x.base, 1, held.localBase + (from - held.globalBase), 1};
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

const RangeRecord* intern(Registry& registry, const RangeRecord& range) {
    const auto found = registry.ranges.find(range);
    if (found != registry.ranges.end()) return &*found;
    RangeRecord record = range;
    record.run = runOf(range);
    record.isWhole = range.format->isWhole();
    record.fingerprint = fingerprintOf(range);
    const RangeRecord whole = wholeOf(range);
    const bool isWhole = RangeEqual()(range, whole);
    if (!isWhole) record.whole = intern(registry, whole);
    const RangeRecord* const made = &*registry.ranges.insert(record).first;
    if (isWhole) const_cast<RangeRecord*>(made)->whole = made;  // no part of what it is found by
    return made;
}

}  // namespace

const Format* internFormat(std::unique_ptr<Format> format) {
    FormatKey key(format->name(), format->extent(), format->processes(), format->parameters());
    const std::lock_guard lock(registry().mutex);
    return registry().formats.try_emplace(std::move(key), std::move(format)).first->second.get();
}

const RangeRecord* internRange(const RangeRecord& range) {
    const std::lock_guard lock(registry().mutex);
    return intern(registry(), range);
}

}  // namespace hpspmd::detail
