// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/method_rows.hpp>

#include <algorithm>
#include <cstring>

namespace hpspmd::detail {
namespace {

/// Copies between the rows of a container and the elements that are sent and received.
class Copier {
public:
    Copier(const Operand& elements, RowTable table)
        : elements_(elements), table_(table), rows_(elements.layout[0]) {}

    Index size() const { return rows_.range.size(); }
    std::size_t bytes() const {
        return static_cast<std::size_t>(elements_.layout[1].range.size()) * elements_.elementSize;
    }

    /// Own rows of those to the elements.
    void give(Index from, Index to) const {
        for (Index k = std::max<Index>(from, 0); k < std::min(to, size()); ++k)
            if (isOwn(k)) std::memcpy(place(k), table_.find(table_.rows, k), bytes());
    }
    /// Other rows of those from the elements.
    void take(Index from, Index to) const {
        for (Index k = std::max<Index>(from, 0); k < std::min(to, size()); ++k)
            if (!isOwn(k)) std::memcpy(table_.find(table_.rows, k), place(k), bytes());
    }

private:
    bool isOwn(Index k) const { return rows_.range[k].held(); }
    std::byte* place(Index k) const {
        return static_cast<std::byte*>(elements_.data) +
               static_cast<std::size_t>(k * rows_.stride) * elements_.elementSize;
    }

    const Operand& elements_;
    RowTable table_;
    Map rows_;
};

bool areFresh(const Operand& elements, Index low, Index high) {
    return elements.layout.ghosts->areFilled(elements.layout[0], 0, low, high);
}

}  // namespace

void completeRows(const Operand& elements, RowTable table, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    copier.give(0, copier.size());
    assemble(elements, where);
    copier.take(0, copier.size());
}

void refreshRows(const Operand& elements, RowTable table, int low, int high, Where where) {
    if (areFresh(elements, low, high)) return;
    const Blocks blocks = elements.layout[0].range.localBlocks();
    if (blocks.size() > 1 || blocks.front().globalStep != 1)
        return completeRows(elements, table, where);
    const Copier copier(elements, table);
    const Index own = blocks.front().globalBase, end = own + blocks.front().count;
    const Index widest = std::max(low, high);
    copier.give(own, own + widest);
    copier.give(end - widest, end);
    const int below[] = {low, 0}, above[] = {high, 0};
    refresh(elements, below, above, where);
    if (own == end) return;
    copier.take(own - low, own);
    copier.take(end, end + high);
}

void fetchRow(const Operand& elements, RowTable table, Index k, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    if (k < 0 || k >= copier.size()) return completeRows(elements, table, where);
    broadcast(table.find(table.rows, k), copier.bytes(), apg() / elements.layout[0].range[k],
              where);
}

}  // namespace hpspmd::detail
