// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the analysis of ghost cells knows at one place of a function.
#pragma once

#include "check/halo/freshness.hpp"
#include "check/halo/handles.hpp"

#include <cstdint>

namespace hpcc::check::halo {

// Where an array comes from.
enum class Origin {
    Made,       // in this function
    Parameter,  // named by one
    Held,       // named by a field, a global variable or a captured name
    Foreign     // from code out of sight: it may be one that others name, too
};

// One array that some handle names.
struct Storage {
    Freshness fresh;
    Origin origin = Origin::Made;
    bool isEscaped = false;        // this function lets code out of sight reach it
    const Symbol* root = nullptr;  // of the handle that it came with; its fields are distinct
    std::uint64_t aliases = 0;     // bits: the storages that are perhaps the same one

    bool operator==(const Storage&) const = default;

    // Code that is not followed may reach it. That of a parameter, too: the caller may have given
    // it to an object that this function gets by another way.
    bool isInReach() const { return isEscaped || origin != Origin::Made; }
};

// Which handles name one array, and how fresh its ghost cells are. Where paths meet, two handles
// name one array for certain if they do on both paths; if they do on one of them, they are aliases.
class State {
public:
    static constexpr int none = -1;

    State() = default;
    explicit State(std::size_t handles)
        : isReached_(true), storageOf_(handles, none), isPart_(handles), isShared_(handles) {}

    bool isReached() const { return isReached_; }
    bool operator==(const State&) const = default;

    int storageOf(std::size_t handle) const { return storageOf_[handle]; }
    bool isPart(std::size_t handle) const { return isPart_[handle]; }  // a section of it
    // Others know the handle itself, by a reference or pointer, and may make it name another array.
    bool isShared(std::size_t handle) const { return isShared_[handle]; }
    void share(std::size_t handle);

    std::vector<Storage>& storages() { return storages_; }
    const std::vector<Storage>& storages() const { return storages_; }
    Storage& operator[](int storage) { return storages_[static_cast<std::size_t>(storage)]; }
    const Storage& operator[](int storage) const {
        return storages_[static_cast<std::size_t>(storage)];
    }

    int add(const Storage& storage);  // unused ones make room; none if there is no more
    void bind(std::size_t handle, int storage, bool isPart);

    void noteAliases(int a, int b);

    // Perhaps the same array as `storage`, or reached through it.
    std::vector<int> aliasesOf(int storage) const;
    bool areUsed(int storage) const;

    void lose();  // code that is not followed did something to all that it can reach

    void join(const State& other);
    bool merge(const State& other);  // join; whether that changed anything

private:
    bool mayBeSame(int a, int b) const;

    bool isReached_ = false;
    std::vector<int> storageOf_;
    std::vector<bool> isPart_;
    std::vector<bool> isShared_;
    std::vector<Storage> storages_;
};

}  // namespace hpcc::check::halo
