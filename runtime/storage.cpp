// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/storage.hpp>

#include "arena.hpp"
#include "compose.hpp"
#include "device/mirror.hpp"
#include "guard.hpp"
#include "memory_limit.hpp"
#include "node.hpp"

#include <hpspmd/array.hpp>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>
#include <hpspmd/independence.hpp>
#include <hpspmd/observe.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace hpspmd::detail {
namespace {

// "1.5 GiB"
std::string inUnits(std::size_t bytes) {
    static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; amount >= 1024; amount /= 1024) ++unit;
    return compose(amount, " ", units[unit]);
}

bool addressSpaceIsLimited() {
    rlimit limit;
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// What the arrays of this process and, where they can be seen, of its neighbours would need. Asked
// before pages are used, as all processes may be about to use theirs.
std::size_t bytesOfAll(std::size_t ofOwn) {
    ownBoard().arrayBytes.store(ofOwn);
    std::size_t sum = neighbours().empty() ? ofOwn : 0;
    for (const Neighbour& each : neighbours()) sum += each.board->arrayBytes.load();
    return sum;
}

// "" or what the group of processes lacks. What is in use takes some 50 us to read in a container:
// it is read again after a fourth of what was left then is created, by all processes together.
std::string beyondLimit(std::size_t bytes, std::size_t used) {
    constexpr std::size_t least = std::size_t{1} << 20;
    static std::atomic<std::size_t> created = 0, unasked = 0;
    const MemoryLimit& limit = MemoryLimit::actual();
    if (!limit.exists() || (created += bytes) < unasked) return "";
    created = 0;
    const std::size_t inUse = limit.used(), all = bytesOfAll(used + bytes);
    const std::size_t needed = std::max(all, inUse + bytes);
    if (bytes <= limit.bytes() && needed <= limit.bytes()) {
        const std::size_t processes = std::max<std::size_t>(1, neighbours().size());
        unasked = std::max(least, (limit.bytes() - needed) / (4 * processes));
        return "";
    }
    unasked = 0;
    bytesOfAll(used);
    return compose("the memory of this process and those beside it is limited to ",
                   inUnits(limit.bytes()), " (cgroup), of which they use ", inUnits(inUse),
                   "; with this array the arrays of the node need ", inUnits(all));
}

std::byte* take(std::size_t bytes, Where where) {
    const std::size_t used = arenaBytesInUse();
    const auto request = [&] {
        return compose("an array needs ", inUnits(bytes), " in this process, which already uses ",
                       inUnits(used), " for arrays; ");
    };
    const std::string limited = beyondLimit(bytes, used);
    if (!limited.empty()) throw OutOfMemory(request() + limited, where);
    if (bytes <= physicalMemory() - std::min(used, physicalMemory()))
        if (std::byte* const piece = arenaFor(bytes).allocate(bytes)) return piece;
    throw OutOfMemory(
        compose(request(), "the machine has ", inUnits(physicalMemory()), ", ",
                inUnits(arenaBytesReserved()), " of address space are reserved for arrays",
                addressSpaceIsLimited() ? " (ulimit -v allows no more)" : ""),
        where);
}

// Bytes between the start of a piece and that of a large array in it. Arrays that all begin at the
// same place of a page are slow together: a processor takes what it loads from one for what it has
// just stored to another, as it compares the last twelve bits of addresses.
std::size_t nextGap(std::size_t bytes) {
    constexpr std::size_t large = std::size_t{1} << 16, lines = 64, apart = 37;
    static std::atomic<std::size_t> number{0};
    return bytes < large ? 0 : number++ * apart % lines * Arena::line;
}

/// What the handles of one section count, or of an array, if its ranges are counted: so that a
/// handle has one counter. The elements are those of another storage.
struct RangeKeeper : Storage {
    RangeKeeper(StorageHandle storage, const Map* maps, int rank) : elements(std::move(storage)) {
        address = elements->address;
        slots = elements->slots;
        elementSize = elements->elementSize;
        whole = elements.get();
        ranges.reserve(static_cast<std::size_t>(rank));
        for (int r = 0; r < rank; ++r) ranges.push_back(maps[r].range);
    }

    bool keeps(const BorrowedRange& x) const {
        return std::find(ranges.begin(), ranges.end(), x) != ranges.end();
    }

    StorageHandle elements;
    std::vector<Range> ranges;
};

}  // namespace

StorageHandle keepRanges(StorageHandle storage, const Map* maps, int rank) {
    if (!storage) return storage;
    if (storage->whole == storage.get())
        return StorageHandle(new RangeKeeper(std::move(storage), maps, rank));
    const auto& keeper = static_cast<const RangeKeeper&>(*storage.get());
    const bool keepsAll = std::all_of(maps, maps + rank, [&](const Map& map) {
        return !recordOf(map.range)->isCounted || keeper.keeps(map.range);
    });
    if (keepsAll) return storage;
    return StorageHandle(new RangeKeeper(keeper.elements, maps, rank));
}

Storage* allocateStorage(Index slots, std::size_t elementSize, std::size_t alignment, Index first,
                         Where where) {
    constexpr std::size_t line = Arena::line, page = 4096;
    const std::size_t step = std::max(alignment, line);
    std::size_t used = 0;
    if (__builtin_mul_overflow(static_cast<std::size_t>(slots), elementSize, &used) ||
        used > (std::size_t{1} << 62) - 2 * step)
        throw BadExtent(compose("an array of ", slots, " slots of ", elementSize,
                                " bytes per process: its size overflows"),
                        where);
    const std::size_t own = devicesAreWanted() ? page : 0;  // pages that hold nothing else
    const std::size_t gap = own + nextGap(used), bytes = gap + used + 2 * step + own;
    auto storage = std::make_unique<Storage>();
    storage->slots = slots;
    storage->elementSize = elementSize;
    storage->allocationSize = bytes;
    storage->allocation = take(bytes, where);
    const std::size_t origin = static_cast<std::size_t>(first) * elementSize;
    const std::size_t start = (reinterpret_cast<std::uintptr_t>(storage->allocation) + gap) % step;
    const std::size_t pad = (2 * step - (start + origin) % step) % step;
    storage->address = storage->allocation + gap + pad;
    guard(storage->allocation, storage->address);
    guard(storage->address + used, storage->allocation + bytes);
    if (observer != nullptr) observer->arrayMade(storage->address, used);
    if (devicesAreWanted()) storage->mirror = new Mirror(*storage, where);
    return storage.release();
}

void releaseStorage(Storage* storage) noexcept {
    if (storage->whole != storage) return delete static_cast<RangeKeeper*>(storage);
    if (checksIndependence()) forgetLayout(*storage);
    if (storage->destroy) {
        bringHome(storage, Use::Writes, {});
        storage->destroy(*storage);
    }
    const bool isZero = storage->mirror != nullptr && storage->mirror->isUntouched();
    delete storage->mirror;
    if (storage->allocation != nullptr) {
        if (observer != nullptr) observer->arrayFreed(storage->address);
        unguard(storage->allocation, storage->allocation + storage->allocationSize);
        arenaOf(storage->allocation).release(storage->allocation, storage->allocationSize, isZero);
        if (MemoryLimit::actual().exists()) ownBoard().arrayBytes.store(arenaBytesInUse());
    }
    delete storage->ghosts;
    delete storage;
}

}  // namespace hpspmd::detail
