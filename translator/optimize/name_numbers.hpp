// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers for names: a hash table without memory of its own for each entry.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace hpcc::optimize {

/// Of its first and last eight letters, which tell names of one function apart.
inline uint64_t hashOf(std::string_view name) {
    const char* const letters = name.data();
    const size_t size = name.size();
    uint64_t first = 0, last = 0;
    if (size >= 8) {
        std::memcpy(&first, letters, 8);
        std::memcpy(&last, letters + size - 8, 8);
    } else if (size >= 4) {
        std::memcpy(&first, letters, 4);
        std::memcpy(&last, letters + size - 4, 4);
    } else {
        for (const char letter : name) first = first << 8 | static_cast<unsigned char>(letter);
    }
    const uint64_t hash = (first ^ std::rotl(last, 23) ^ size) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

/// Names get the numbers 0, 1, .. in the order in which they come.
class NameNumbers {
public:
    /// Its number, the next one if it is new.
    int insert(std::string_view name) {
        if (2 * (names_.size() + 1) > entries_.size()) grow();
        int& entry = entries_[slotOf(name)];
        if (entry < 0) {
            entry = static_cast<int>(names_.size());
            names_.push_back(name);
        }
        return entry;
    }

    size_t size() const { return names_.size(); }

    /// -1 if it has none.
    int find(std::string_view name) const { return entries_.empty() ? -1 : entries_[slotOf(name)]; }

private:
    // Where the name is, or would be.
    size_t slotOf(std::string_view name) const {
        const size_t mask = entries_.size() - 1;
        size_t slot = hashOf(name) & mask;
        while (entries_[slot] >= 0 && names_[static_cast<size_t>(entries_[slot])] != name)
            slot = (slot + 1) & mask;
        return slot;
    }

    void grow() {
        entries_.assign(entries_.empty() ? 256 : entries_.size() * 2, -1);
        for (size_t number = 0; number < names_.size(); ++number)
            entries_[slotOf(names_[number])] = static_cast<int>(number);
    }

    std::vector<int> entries_;  // numbers, -1: free; a power of two, at most half full
    std::vector<std::string_view> names_;
};

}  // namespace hpcc::optimize
