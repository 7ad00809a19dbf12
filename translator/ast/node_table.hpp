// A hash table from nodes to small values, without memory of its own for each entry.
#pragma once

#include <algorithm>
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
        if (2 * (size_ + 1) > entries_.size()) grow();
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

    bool isEmpty() const { return size_ == 0; }
    void clear() {
        std::fill(entries_.begin(), entries_.end(), Entry{});
        size_ = 0;
    }

private:
    struct Entry {
        NodePtr node = nullptr;
        Value value{};
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
        std::vector<Entry> old(entries_.empty() ? 256 : entries_.size() * 2);
        old.swap(entries_);
        for (Entry& entry : old)
            if (entry.node) entries_[slotOf(entry.node)] = std::move(entry);
    }

    std::vector<Entry> entries_;  // a power of two, at most half full
    std::size_t size_ = 0;
};

}  // namespace hpcc::ast
