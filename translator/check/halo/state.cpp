// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/halo/state.hpp"

#include <algorithm>

namespace hpcc::check::halo {
namespace {

constexpr std::size_t mostStorages = 64;

}  // namespace

bool State::areUsed(int storage) const {
    return std::ranges::find(storageOf_, storage) != storageOf_.end();
}

int State::add(const Storage& storage) {
    for (int k = 0; k < static_cast<int>(storages_.size()); ++k) {
        if (areUsed(k)) continue;
        for (Storage& each : storages_) each.aliases &= ~(std::uint64_t(1) << k);
        (*this)[k] = storage;
        return k;
    }
    if (storages_.size() == mostStorages) return none;
    storages_.push_back(storage);
    return static_cast<int>(storages_.size()) - 1;
}

void State::bind(std::size_t handle, int storage, bool isPart) {
    storageOf_[handle] = storage;
    isPart_[handle] = isPart;
    if (isShared_[handle]) share(handle);
}

void State::share(std::size_t handle) {
    isShared_[handle] = true;
    if (storageOf_[handle] != none) (*this)[storageOf_[handle]].isEscaped = true;
}

void State::noteAliases(int a, int b) {
    (*this)[a].aliases |= std::uint64_t(1) << b;
    (*this)[b].aliases |= std::uint64_t(1) << a;
}

void State::lose() {
    for (Storage& each : storages_)
        if (each.isInReach()) each.fresh.set(Side::unknown());
}

bool State::mayBeSame(int a, int b) const {
    if (a == b || a == none || b == none) return a == b && a != none;
    const Storage &x = (*this)[a], &y = (*this)[b];
    if (x.aliases >> b & 1) return true;
    if (x.root && x.root == y.root) return false;
    if (x.origin == Origin::Foreign || y.origin == Origin::Foreign)
        return x.isInReach() && y.isInReach();
    return (x.origin == Origin::Held && y.origin == Origin::Parameter) ||
           (x.origin == Origin::Parameter && y.origin == Origin::Held);
}

std::vector<int> State::aliasesOf(int storage) const {
    std::vector<int> found;
    for (int k = 0; k < static_cast<int>(storages_.size()); ++k)
        if (k != storage && areUsed(k) && mayBeSame(k, storage)) found.push_back(k);
    return found;
}

bool State::merge(const State& other) {
    if (!other.isReached_) return false;
    if (!isReached_) {
        *this = other;
        return true;
    }
    State joined = *this;
    joined.join(other);
    if (joined == *this) return false;
    *this = std::move(joined);
    return true;
}

void State::join(const State& other) {
    if (!other.isReached_) return;
    if (!isReached_) {
        *this = other;
        return;
    }
    State result(storageOf_.size());
    for (std::size_t h = 0; h < storageOf_.size(); ++h)
        result.isShared_[h] = isShared_[h] || other.isShared_[h];
    std::vector<std::pair<int, int>> origins;  // of the storages of `result`
    for (std::size_t h = 0; h < storageOf_.size(); ++h) {
        const std::pair origin(storageOf_[h], other.storageOf_[h]);
        if (origin == std::pair(none, none)) continue;
        const auto known = std::ranges::find(origins, origin);
        result.storageOf_[h] = static_cast<int>(known - origins.begin());
        result.isPart_[h] = isPart_[h] || other.isPart_[h];
        if (known != origins.end()) continue;
        origins.push_back(origin);
        Storage made = origin.first == none ? other[origin.second] : (*this)[origin.first];
        if (origin.first != none && origin.second != none) {
            const Storage& second = other[origin.second];
            made.fresh.join(second.fresh);
            made.isEscaped |= second.isEscaped;
            made.origin = std::max(made.origin, second.origin);
            if (made.root != second.root) made.root = nullptr;
        }
        made.aliases = 0;
        result.storages_.push_back(std::move(made));
    }
    for (std::size_t a = 0; a < origins.size(); ++a)
        for (std::size_t b = 0; b < origins.size(); ++b)
            if (a != b && (mayBeSame(origins[a].first, origins[b].first) ||
                           other.mayBeSame(origins[a].second, origins[b].second)))
                result.storages_[a].aliases |= std::uint64_t(1) << (b & 63);
    *this = std::move(result);
}

}  // namespace hpcc::check::halo
