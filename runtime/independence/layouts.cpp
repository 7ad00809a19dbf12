// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "independence/layouts.hpp"

#include <hpspmd/observed.hpp>
#include <hpspmd/range.hpp>

#include <map>
#include <mutex>

namespace hpspmd::detail {
namespace {

/// By the end of their memory.
struct Layouts {
    std::map<const std::byte*, ArrayLayout> all;
    std::size_t made = 0;
    std::mutex mutex;

    static Layouts& actual() {
        static auto& layouts = *new Layouts;
        return layouts;
    }
};

/// What a process holds of a range, by its local subscripts.
struct Held {
    Index global;
    bool isOwn;
};

std::optional<Held> at(const Range& x, Index sub) {
    Block only;
    for (const Block& block : x.localBlocks()) {
        const Index k = (sub - block.localBase) / block.localStep;
        const bool isIn = k >= 0 && k < block.count && block.localBase + k * block.localStep == sub;
        if (isIn) return Held{block.globalBase + block.globalStep * k, true};
        only = block;
    }
    if (only.count == 0) return std::nullopt;
    const Index global = only.globalBase + (sub - only.localBase);  // a ghost cell
    if (global < 0 || global >= x.size()) return std::nullopt;
    return Held{global, false};
}

bool isReplicated(const Group& group, const Map* maps, int rank) {
    int held = 1;
    for (int r = 0; r < rank; ++r) held *= maps[r].range.record()->dimension->size;
    return held < group.size();
}

}  // namespace

const std::byte* ArrayLayout::elementAt(const std::byte* address) const {
    return begin + static_cast<std::size_t>(address - begin) / elementSize * elementSize;
}

std::vector<Index> ArrayLayout::subscripts(const std::byte* address) const {
    Index rest = (address - begin) / static_cast<Index>(elementSize);
    std::vector<Index> result;
    for (const Map& map : maps) {
        result.push_back(rest / map.stride - map.range.loExtension());
        rest %= map.stride;
    }
    return result;
}

std::optional<std::vector<Index>> ArrayLayout::globalIndices(const std::byte* address) const {
    std::vector<Index> result = subscripts(address);
    for (std::size_t r = 0; r < maps.size(); ++r) {
        const auto held = at(maps[r].range, result[r]);
        if (!held) return std::nullopt;
        result[r] = held->global;
    }
    return result;
}

bool ArrayLayout::isOwn(const std::byte* address) const {
    const std::vector<Index> subs = subscripts(address);
    for (std::size_t r = 0; r < maps.size(); ++r) {
        const auto held = at(maps[r].range, subs[r]);
        if (held && !held->isOwn) return false;
    }
    return true;
}

const ArrayLayout* layoutAt(const void* address) {
    Layouts& layouts = Layouts::actual();
    const std::lock_guard lock(layouts.mutex);
    const auto* const place = static_cast<const std::byte*>(address);
    const auto found = layouts.all.upper_bound(place);
    if (found == layouts.all.end() || place < found->second.begin) return nullptr;
    return &found->second;
}

bool isInArray(const void* address) { return layoutAt(address) != nullptr; }

void rememberLayout(const Storage& storage, const Map* maps, int rank, const Group& group) {
    if (storage.slots == 0) return;
    const std::byte* const end =
        storage.address + static_cast<std::size_t>(storage.slots) * storage.elementSize;
    Layouts& layouts = Layouts::actual();
    const std::lock_guard lock(layouts.mutex);
    layouts.all.insert_or_assign(
        end, ArrayLayout{&storage, storage.address, end, storage.elementSize,
                         std::vector<Map>(maps, maps + rank), isReplicated(group, maps, rank),
                         ++layouts.made});
}

void forgetLayout(const Storage& storage) noexcept {
    Layouts& layouts = Layouts::actual();
    const std::lock_guard lock(layouts.mutex);
    const auto found = layouts.all.upper_bound(storage.address);
    if (found != layouts.all.end() && found->second.storage == &storage) layouts.all.erase(found);
}

}  // namespace hpspmd::detail
