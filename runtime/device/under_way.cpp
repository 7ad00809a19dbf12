// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/under_way.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace hpspmd::detail {
namespace {

struct Noted {
    const Storage* storage;
    UnderWay* one;
};

/// Threads of a nest may ask.
struct AllNoted {
    std::mutex mutex;
    std::vector<Noted> list;
};
AllNoted& allNoted() {
    static auto& all = *new AllNoted;
    return all;
}
std::atomic<std::size_t> count{0};

UnderWay* foundFor(const Storage& storage) {
    AllNoted& all = allNoted();
    const std::lock_guard lock(all.mutex);
    const auto found = std::find_if(all.list.begin(), all.list.end(),
                                    [&](const Noted& each) { return each.storage == &storage; });
    return found == all.list.end() ? nullptr : found->one;
}

}  // namespace

void noteUnderWay(const Storage& storage, UnderWay& one) {
    AllNoted& all = allNoted();
    const std::lock_guard lock(all.mutex);
    all.list.push_back({&storage, &one});
    count.store(all.list.size(), std::memory_order_relaxed);
}

void forgetUnderWay(const UnderWay& one) noexcept {
    AllNoted& all = allNoted();
    const std::lock_guard lock(all.mutex);
    std::erase_if(all.list, [&](const Noted& each) { return each.one == &one; });
    count.store(all.list.size(), std::memory_order_relaxed);
}

bool isAnyUnderWay() noexcept { return count.load(std::memory_order_relaxed) != 0; }

void finishUnderWay(const Storage& storage) {
    if (!isAnyUnderWay()) return;
    if (UnderWay* const one = foundFor(storage)) one->finish();
}

}  // namespace hpspmd::detail
