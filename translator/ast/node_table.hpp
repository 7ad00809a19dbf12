// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash table from nodes to small values, without memory of its own for each entry.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "ast/node.hpp"

namespace hpcc::ast {

template <class Value>
class NodeTable {
public:
    // The value of a node, made with `value` if there is none yet; and whether it was made.
    std::pair<Value*, bool> insert(NodePtr node, Value value) {
        if (3 * (size_ + 1) > 2 * entries_.size()) grow();
        Entry& entry = entries_[slotOf(node)];
        if (entry.node) return {&entry.value, false};
        entry = {node, std::move(value)};
        ++size_;
        return {&entry.value, true};
    }

    // Null if there is none.
    const Value* find(NodePtr node) const {
        if (entries_.empty()) return nullptr;
        const Entry& entry = entries_[slotOf(node)];
        return entry.node ? &entry.value : nullptr;
    }
    Value* find(NodePtr node) { return const_cast<Value*>(std::as_const(*this).find(node)); }

    // Makes room for so many.
    void reserve(std::size_t count) {
        if (3 * count > 2 * entries_.size()) resize(std::bit_ceil(3 * count / 2 + 1));
    }

    bool isEmpty() const { return size_ == 0; }
    void clear() {
        std::fill(entries_.begin(), entries_.end(), Entry{});
        size_ = 0;
    }

private:
    struct Entry {
        NodePtr node = nullptr;
        [[no_unique_address]] Value value{};
    };

    // Where the node is, or would be.
    std::size_t slotOf(NodePtr node) const {
        const std::size_t mask = entries_.size() - 1;
        std::size_t slot = (reinterpret_cast<std::uintptr_t>(node) >> 3) * 0x9E3779B97F4A7C15u;
        for (slot = (slot >> 20) & mask; entries_[slot].node && entries_[slot].node != node;)
            slot = (slot + 1) & mask;
        return slot;
    }

    void grow() {
        constexpr std::size_t least = 128, large = 4096;
        resize(std::max(least, entries_.size() * (entries_.size() < large ? 4 : 2)));
    }

    void resize(std::size_t size) {
        std::vector<Entry> old(size);
        old.swap(entries_);
        for (Entry& entry : old)
            if (entry.node) entries_[slotOf(entry.node)] = std::move(entry);
    }

    std::vector<Entry> entries_;  // a power of two, at most two thirds full
    std::size_t size_ = 0;
};

}  // namespace hpcc::ast
