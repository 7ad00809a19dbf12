// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/method_rows.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "transport/messages.hpp"

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

    std::byte* row(Index k) const { return table_.find(table_.rows, k); }

    /// Own rows of those to the elements.
    void give(Index from, Index to) const {
        for (Index k = std::max<Index>(from, 0); k < std::min(to, size()); ++k)
            if (isOwn(k)) std::memcpy(place(k), row(k), bytes());
    }
    /// Other rows of those from the elements.
    void take(Index from, Index to) const {
        for (Index k = std::max<Index>(from, 0); k < std::min(to, size()); ++k)
            if (!isOwn(k)) std::memcpy(row(k), place(k), bytes());
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

/// Each process sends its own rows of some lines to all others: from their places, and to them, in
/// messages of many rows.
class RowExchange {
public:
    RowExchange(const Operand& elements, RowTable table, Lines lines)
        : copier_(elements, table),
          range_(elements.layout[0].range),
          lines_{std::max<Index>(lines.first, 0), std::min(lines.last, copier_.size() - 1)} {}

    void run(Where where) {
        const Group group = apg();
        const Fingerprint plan =
            mixed(mixed(mixed(0, copier_.bytes()), static_cast<std::uint64_t>(lines_.first)),
                  static_cast<std::uint64_t>(lines_.last));
        messages().begin(enter("assemble", group, plan, where));
        const int own = range_.dim().crd(), size = group.size();
        for (int distance = 1; distance < size; ++distance) receive((own + size - distance) % size);
        const std::vector<Index> rows = rowsOf(own);
        for (int distance = 1; distance < size; ++distance) send(rows, (own + distance) % size);
        messages().wait();
    }

private:
    /// Rows of one message.
    struct Parcel {
        const Copier* copier;
        std::vector<Index> rows;
        std::unique_ptr<char[]> buffer;  // of one that does not go by a link
    };

    static transport::Messages& messages() {
        static auto& messages = *new transport::Messages;
        return messages;
    }

    std::vector<Index> rowsOf(int crd) const {
        std::vector<Index> rows;
        for (const Block& block : range_.blocks(crd, lines_.first, lines_.last))
            for (Index k = 0; k < block.count; ++k)
                rows.push_back(block.globalBase + k * block.globalStep);
        return rows;
    }

    /// f(parcel, bytes, whether it is the first one)
    template <class F>
    void parcels(const std::vector<Index>& rows, const transport::Peer& peer, const F& f) {
        const std::size_t most = std::max<std::size_t>(1, parcelBytes / copier_.bytes());
        for (std::size_t first = 0; first < rows.size(); first += most) {
            const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
            const std::size_t count = std::min(most, rows.size() - first);
            const std::size_t bytes = count * copier_.bytes();
            parcels_.push_back(std::make_unique<Parcel>(
                Parcel{&copier_, {begin, begin + static_cast<std::ptrdiff_t>(count)}, nullptr}));
            Parcel& parcel = *parcels_.back();
            if (peer.link == nullptr) parcel.buffer.reset(new char[bytes]);
            f(parcel, bytes, first == 0);
        }
    }

    void receive(int crd) {
        const transport::Peer peer(member(apg(), crd));
        parcels(rowsOf(crd), peer, [&](Parcel& parcel, std::size_t bytes, bool) {
            messages().receive(parcel.buffer.get(), bytes, peer, {unpack, &parcel});
        });
    }
    void send(const std::vector<Index>& rows, int crd) {
        const transport::Peer peer(member(apg(), crd));
        parcels(rows, peer, [&](Parcel& parcel, std::size_t bytes, bool isFirst) {
            messages().send({pack, &parcel}, parcel.buffer.get(), bytes, peer,
                            {isFirst, rows.size() * copier_.bytes()});
        });
    }

    static void pack(const void* parcel, char* out) {
        const Parcel& one = *static_cast<const Parcel*>(parcel);
        for (const Index k : one.rows) {
            std::memcpy(out, one.copier->row(k), one.copier->bytes());
            out += one.copier->bytes();
        }
    }
    static void unpack(const void* parcel, const char* data) {
        const Parcel& one = *static_cast<const Parcel*>(parcel);
        for (const Index k : one.rows) {
            std::memcpy(one.copier->row(k), data, one.copier->bytes());
            data += one.copier->bytes();
        }
    }

    static constexpr std::size_t parcelBytes = std::size_t{128} << 10;

    Copier copier_;
    Range range_;
    Lines lines_;
    std::vector<std::unique_ptr<Parcel>> parcels_;
};

bool areFresh(const Operand& elements, Index low, Index high) {
    return elements.layout.ghosts->areFilled(elements.layout[0], 0, low, high);
}

}  // namespace

void completeRows(const Method& method, const Operand& elements, RowTable table, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    const Lines lines = method.changedLines().of(elements.data);
    if (areFew(lines)) {
        for (Index k = lines.first; k <= lines.last; ++k)
            fetchRow(method, elements, table, k, where);
    } else {
        RowExchange(elements, table, lines).run(where);
    }
    elements.layout.ghosts->fillAll();
    method.changedLines().forget(elements.data);
}

void refreshRows(const Method& method, const Operand& elements, RowTable table, int low, int high,
                 Where where) {
    if (areFresh(elements, low, high)) return;
    const Blocks blocks = elements.layout[0].range.localBlocks();
    if (blocks.size() > 1 || blocks.front().globalStep != 1)
        return completeRows(method, elements, table, where);
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

void fetchRow(const Method& method, const Operand& elements, RowTable table, Index k, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    if (k < 0 || k >= copier.size()) return completeRows(method, elements, table, where);
    broadcast(copier.row(k), copier.bytes(), apg() / elements.layout[0].range[k], where);
}

}  // namespace hpspmd::detail
