// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/divide.hpp>

#include "compose.hpp"

#include <hpspmd/error.hpp>

namespace hpspmd::detail {

void divideMaps(const Placement& on, Map* maps, const Range* ranges, int rank) {
    for (int r = 0; r < rank; ++r) {
        const Range& x = ranges[r];
        if (!isCollapsed(x) && !x.record()->isWhole)
            throw BadExtent(compose("divide(): range ", r, ", ", describe(x), ", is not whole"),
                            on.where);
        if (x.size() != maps[r].range.size())
            throw BadExtent(compose("divide(): range ", r, " has ", x.size(),
                                    " locations, the array ", maps[r].range.size(), " elements"),
                            on.where);
        maps[r].range = x;
    }
    requireDimensions(on, maps, rank);
}

void stampView(Storage& storage, const Map* maps, int rank) {
    if (storage.ghosts == nullptr) storage.ghosts = new Ghosts(maps, rank);
    storage.ghosts->addView(maps, rank);
}

StorageHandle borrowed(void* address, Index slots, std::size_t elementSize) {
    auto* const storage = new Storage;
    storage->address = static_cast<std::byte*>(address);
    storage->slots = slots;
    storage->elementSize = elementSize;
    return StorageHandle(storage);
}

}  // namespace hpspmd::detail
