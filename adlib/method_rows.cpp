// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/method_rows.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "transport/messages.hpp"
#include "write_halo.hpp"

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

/// Lines of an array, or rows of a container.
struct Source {
    const Operand& elements;
    std::optional<RowTable> rows;
    Lines lines;

    Piece line(const Method& method, Index k) const {
        if (!rows) return lineOf(method, elements, 0, k);
        const Copier copier(elements, *rows);
        return {copier.row(k), copier.bytes()};
    }
};

/// Each process sends its own lines of these to all others: from their places, and to them, in
/// messages of many lines.
class LineExchange {
public:
    LineExchange(const Method& method, std::vector<Source> sources)
        : method_(method), sources_(std::move(sources)) {
        for (Source& each : sources_) {
            const Index size = each.elements.layout[0].range.size();
            each.lines = {std::max<Index>(each.lines.first, 0),
                          std::min(each.lines.last, size - 1)};
        }
    }

    void run(Where where) {
        const Group group = apg();
        Fingerprint plan = 0;
        for (const Source& each : sources_)
            plan = mixed(mixed(mixed(plan, each.line(method_, 0).bytes),
                               static_cast<std::uint64_t>(each.lines.first)),
                         static_cast<std::uint64_t>(each.lines.last));
        messages().begin(enter("assemble", group, plan, where));
        const int own = sources_.front().elements.layout[0].range.dim().crd(), size = group.size();
        for (int distance = 1; distance < size; ++distance) receive((own + size - distance) % size);
        const std::vector<Piece> lines = linesOf(own);
        for (int distance = 1; distance < size; ++distance) send(lines, (own + distance) % size);
        messages().wait();
    }

private:
    /// Lines of one message.
    struct Parcel {
        std::vector<Piece> lines;
        std::size_t bytes = 0;
        std::unique_ptr<char[]> buffer = nullptr;  // of one that does not go by a link
    };

    static transport::Messages& messages() {
        static auto& messages = *new transport::Messages;
        return messages;
    }

    std::vector<Piece> linesOf(int crd) const {
        std::vector<Piece> lines;
        for (const Source& each : sources_)
            for (const Block& block :
                 each.elements.layout[0].range.blocks(crd, each.lines.first, each.lines.last))
                for (Index k = 0; k < block.count; ++k)
                    lines.push_back(each.line(method_, block.globalBase + k * block.globalStep));
        return lines;
    }

    /// f(parcel, whether it is the first one)
    template <class F>
    void parcels(const std::vector<Piece>& lines, const transport::Peer& peer, const F& f) {
        for (std::size_t k = 0; k < lines.size();) {
            const bool isFirst = k == 0;
            parcels_.push_back(std::make_unique<Parcel>());
            Parcel& parcel = *parcels_.back();
            do {
                parcel.lines.push_back(lines[k]);
                parcel.bytes += lines[k++].bytes;
            } while (k < lines.size() && parcel.bytes + lines[k].bytes <= parcelBytes);
            if (peer.link == nullptr) parcel.buffer.reset(new char[parcel.bytes]);
            f(parcel, isFirst);
        }
    }

    void receive(int crd) {
        const transport::Peer peer(member(apg(), crd));
        parcels(linesOf(crd), peer, [&](Parcel& parcel, bool) {
            messages().receive(parcel.buffer.get(), parcel.bytes, peer, {unpack, &parcel});
        });
    }
    void send(const std::vector<Piece>& lines, int crd) {
        const transport::Peer peer(member(apg(), crd));
        std::size_t all = 0;
        for (const Piece& each : lines) all += each.bytes;
        parcels(lines, peer, [&](Parcel& parcel, bool isFirst) {
            messages().send({pack, &parcel}, parcel.buffer.get(), parcel.bytes, peer,
                            {isFirst, all});
        });
    }

    static void pack(const void* parcel, char* out) {
        for (const Piece& each : static_cast<const Parcel*>(parcel)->lines) {
            std::memcpy(out, each.begin, each.bytes);
            out += each.bytes;
        }
    }
    static void unpack(const void* parcel, const char* data) {
        for (const Piece& each : static_cast<const Parcel*>(parcel)->lines) {
            std::memcpy(each.begin, data, each.bytes);
            data += each.bytes;
        }
    }

    static constexpr std::size_t parcelBytes = std::size_t{128} << 10;

    const Method& method_;
    std::vector<Source> sources_;
    std::vector<std::unique_ptr<Parcel>> parcels_;
};

/// The first and last rows of a block, for the neighbours, and theirs.
class EdgeRows {
public:
    EdgeRows(const Operand& elements, RowTable table, Index low, Index high)
        : copier_(elements, table), low_(low), high_(high) {
        const Block block = elements.layout[0].range.localBlocks().front();
        begin_ = block.globalBase;
        end_ = begin_ + block.count;
    }

    void give() const {
        const Index widest = std::max(low_, high_);
        copier_.give(begin_, begin_ + widest);
        copier_.give(end_ - widest, end_);
    }
    void take() const {
        if (begin_ == end_) return;
        copier_.take(begin_ - low_, begin_);
        copier_.take(end_, end_ + high_);
    }

private:
    Copier copier_;
    Index low_, high_, begin_, end_;
};

bool areFresh(const Operand& elements, Index low, Index high) {
    return elements.layout.ghosts->areFilled(elements.layout[0], 0, low, high);
}

/// True if it pays to send what has been changed together with that of other arrays. Longer
/// messages take as long one after the other, and some arrays have no lines.
bool areShort(const Method& method, const Source& source) {
    const Descriptor& layout = source.elements.layout;
    if (isCollapsed(layout[0].range)) return false;
    for (int r = 1; r < layout.rank; ++r)
        if (!isCollapsed(layout[r].range)) return false;
    constexpr std::size_t most = std::size_t{16} << 10;
    const std::size_t bytes = source.line(method, 0).bytes;
    const Index lines = std::min(source.lines.count(), layout[0].range.size());
    return bytes > 0 && static_cast<std::size_t>(lines) <= most / bytes;
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
        LineExchange(method, {{elements, table, lines}}).run(where);
    }
    elements.layout.ghosts->fillAll();
    method.changedLines().forget(elements.data);
}

void refreshRows(const Method& method, const Operand& elements, RowTable table, int low, int high,
                 Where where) {
    if (areFresh(elements, low, high)) return;
    if (!haveNeighbours(elements.layout)) return completeRows(method, elements, table, where);
    const EdgeRows edges(elements, table, low, high);
    edges.give();
    const int below[] = {low, 0}, above[] = {high, 0};
    refresh(elements, below, above, where);
    edges.take();
}

void fetchTogether(const Method& method,
                   std::initializer_list<std::optional<Neighbours>> neighbours, Where where) {
    std::vector<HaloPart> parts;
    std::vector<EdgeRows> rows;
    std::vector<Source> wholes;
    for (const std::optional<Neighbours>& each : neighbours) {
        if (!each || isFresh(each->part.layout, each->low.data(), each->high.data())) continue;
        if (each->isWhole) {
            const Source source{each->part, each->rows, method.changedLines().of(each->part.data)};
            if (areShort(method, source))
                wholes.push_back(source);
            else if (each->rows)
                completeRows(method, each->part, *each->rows, where);
            else
                complete(method, each->part, where);
            continue;
        }
        if (!haveNeighbours(each->part.layout)) {
            if (each->rows)
                completeRows(method, each->part, *each->rows, where);
            else
                refresh(each->part, each->low.data(), each->high.data(), where);
            continue;
        }
        parts.push_back({each->part, each->low, each->high, {}});
        parts.back().modes.resize(each->low.size(), Adlib::Edge);
        if (each->rows) rows.emplace_back(each->part, *each->rows, each->low[0], each->high[0]);
    }
    for (const EdgeRows& each : rows) each.give();
    if (!parts.empty()) writeHalos(parts, where);
    for (const EdgeRows& each : rows) each.take();
    if (wholes.empty()) return;
    LineExchange(method, wholes).run(where);
    for (const Source& each : wholes) {
        each.elements.layout.ghosts->fillAll();
        method.changedLines().forget(each.elements.data);
    }
}

void fetchRow(const Method& method, const Operand& elements, RowTable table, Index k, Where where) {
    const Copier copier(elements, table);
    if (areFresh(elements, copier.size(), copier.size())) return;
    if (k < 0 || k >= copier.size()) return completeRows(method, elements, table, where);
    broadcast(copier.row(k), copier.bytes(), apg() / elements.layout[0].range[k], where);
}

}  // namespace hpspmd::detail
