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
        : elements_(elements), table_(table), rows_(elements.layout[0]) {
        for (const Block block : rows_.range.localBlocks())
            if (block.count > 0) {
                own_ = block.globalBase;
                ownEnd_ = own_ + block.count;
            }
    }

    Index own() const { return own_; }
    Index ownEnd() const { return ownEnd_; }
    Index size() const { return rows_.range.size(); }
    std::size_t bytes() const {
        return static_cast<std::size_t>(elements_.layout[1].range.size()) * elements_.elementSize;
    }

    void give(Index from, Index to) const {
        for (Index k = std::max(from, own_); k < std::min(to, ownEnd_); ++k)
            std::memcpy(place(k), table_.find(table_.rows, k), bytes());
    }
    void take(Index from, Index to) const {
        for (Index k = std::max<Index>(from, 0); k < std::min(to, size()); ++k)
            std::memcpy(table_.find(table_.rows, k), place(k), bytes());
    }

private:
    std::byte* place(Index k) const {
        return static_cast<std::byte*>(elements_.data) +
               static_cast<std::size_t>(k * rows_.stride) * elements_.elementSize;
    }

    const Operand& elements_;
    RowTable table_;
    Map rows_;
    Index own_ = 0, ownEnd_ = 0;
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
    copier.take(0, copier.own());
    copier.take(copier.ownEnd(), copier.size());
}

void refreshRows(const Operand& elements, RowTable table, int low, int high, Where where) {
    if (areFresh(elements, low, high)) return;
    const Copier copier(elements, table);
    const Index widest = std::max(low, high);
    copier.give(copier.own(), copier.own() + widest);
    copier.give(copier.ownEnd() - widest, copier.ownEnd());
    const int below[] = {low, 0}, above[] = {high, 0};
    refresh(elements, below, above, where);
    if (copier.own() == copier.ownEnd()) return;
    copier.take(copier.own() - low, copier.own());
    copier.take(copier.ownEnd(), copier.ownEnd() + high);
}

void fetchRow(const Operand& elements, RowTable table, Index k, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    if (k < 0 || k >= copier.size()) return completeRows(elements, table, where);
    broadcast(table.find(table.rows, k), copier.bytes(), apg() / elements.layout[0].range[k],
              where);
}

}  // namespace hpspmd::detail
