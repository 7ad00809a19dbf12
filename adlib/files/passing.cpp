// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/passing.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>
#include <memory>
#include <optional>

#include "files/packed.hpp"
#include "files/remainder.hpp"
#include "files/values.hpp"
#include "plan/operations.hpp"
#include "schedule/run.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail::files {
namespace {

Descriptor partOf(const Piece& piece, const Operand& array) {
    return {array.layout.group, piece.array.data(), array.layout.rank};
}
Descriptor handledPart(const Piece& piece, const Operand& array) {
    return {piece.group, piece.handled.data(), array.layout.rank};
}

/// The elements of a piece where the array holds all of them, in the order of the file, as rows
/// that are as long as possible; nothing if there is no one step from row to row.
std::optional<Rows> rowsInPlace(const Piece& piece, const FileOperand& array) {
    if (apg().size() > 1 || piece.count == 0) return std::nullopt;
    Index offset = 0, row = piece.count, step = piece.count;  // elements
    for (std::size_t r = piece.array.size(); r-- > 0;) {
        const auto& [range, stride] = piece.array[r];
        Index count = 0;
        for (const Block& block : range.localBlocks()) {
            if (count > 0) return std::nullopt;
            count = block.count;
            offset += block.localBase * stride;
            const Index own = block.localStep * stride, wanted = piece.handled[r].stride;
            if (count == 1 || own * row == wanted * step) continue;
            if (row < piece.count) return std::nullopt;
            row = wanted;
            step = own;
        }
    }
    const Index bytes = array.number.bytes;
    return Rows{static_cast<char*>(array.array.data) + offset * bytes, row * bytes, step * bytes,
                piece.count / row};
}

/// The same if they are one row; else null.
char* inPlace(const Piece& piece, const FileOperand& array) {
    const std::optional<Rows> rows = rowsInPlace(piece, array);
    // The array is ours: what is read goes there.
    return rows && rows->count == 1 ? const_cast<char*>(rows->first) : nullptr;
}

/// Memory for elements of one piece after the other.
class Room {
public:
    char* of(Index bytes) {
        if (bytes > size_) {
            room_ = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(bytes));
            size_ = bytes;
        }
        return room_.get();
    }

private:
    std::unique_ptr<char[]> room_;
    Index size_ = 0;
};

void addRemainder(void* left, const void* right, std::size_t bytes, const void*) {
    auto* to = static_cast<std::uint32_t*>(left);
    const auto* from = static_cast<const std::uint32_t*>(right);
    for (std::size_t k = 0; k < bytes / sizeof *to; ++k) to[k] ^= from[k];
}

}  // namespace

FileArray arrayOf(const FileOperand& array) {
    FileArray result;
    for (const Map& map : array.array.layout) result.shape.push_back(map.range.size());
    result.number = array.number;
    result.fields = array.fields;
    return result;
}

void passToHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                    const OnRows& take) {
    constexpr Index longEnough = 1024;  // shorter rows take more time in the system than a copy
    Room room;
    forEachPiece(array.array.layout, array.number.bytes, handled, [&](const Piece& piece) {
        const std::optional<Rows> own = rowsInPlace(piece, array);
        if (own && (own->count == 1 || own->bytes >= longEnough)) return take(*own, piece);
        const Index bytes = piece.count * array.number.bytes;
        char* const elements = room.of(bytes);
        const plan::Operation move =
            plan::remap(handledPart(piece, array.array), partOf(piece, array.array));
        Transfer(ownPlan(move), array.array.elementSize)
            .execute(entered, elements, array.array.data);
        take({elements, bytes, bytes, 1}, piece);
    });
}

void passFromHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                      const OnPiece& give) {
    markWritten(array.array.layout);
    Room room;
    forEachPiece(array.array.layout, array.number.bytes, handled, [&](const Piece& piece) {
        char* const own = inPlace(piece, array);
        if (own != nullptr) return give(own, piece);
        char* const elements = room.of(piece.count * array.number.bytes);
        give(elements, piece);
        const plan::Operation move =
            plan::remap(partOf(piece, array.array), handledPart(piece, array.array));
        Transfer(ownPlan(move), array.array.elementSize)
            .execute(entered, array.array.data, elements);
    });
    observeWritten(entered.name, entered.where, array.array);
}

FileArray told(const Entered& entered, const FileArray& found) {
    return unpackedArray(told(entered, packed(found)));
}

void requireFitting(const FileArray& found, const FileArray& wanted) {
    const FileNumber own = *wanted.number;
    const bool isText = !found.number && own.kind < FileNumber::Opaque;
    bool fits = isText || (found.number && (*found.number == own || widens(*found.number, own)));
    // Objects without fields are so many bytes.
    if (!found.fields.empty() && !wanted.fields.empty()) fits &= found.fields == wanted.fields;
    if (found.shape == wanted.shape && fits) return;
    throw Failure("it has " + describe(found) + ", the array is " + describe(wanted));
}

// What a sum has been made of is still in the core's cache when it goes to the file, and what comes
// from the file when a sum is made of it. A disk that gets it at once wants more at a time.
constexpr Index atOnce = 1 << 20, atOnceToDisk = 4 << 20;

void Stretch::write(const Rows& elements, const Piece& piece) {
    if (piece.count == 0) return;
    const Index most = file_->sendsAtOnce() ? atOnceToDisk : atOnce, end = bytesOf(piece);
    for (Index at = 0; at < end;) {
        const Index offset = offsetOf(piece) + at, place = array_.offset + offset;
        // The system keeps files in pages: no page is written twice.
        const Index bytes = std::min(end - at, most - place % most);
        add(elements, at, bytes, offset);
        file_->write(elements, at, bytes, place);
        at += bytes;
    }
}

void Stretch::read(Elements& from, char* elements, const Piece& piece, FileNumber wanted) {
    char* const all = elements + piece.count * wanted.bytes - bytesOf(piece);
    const Index most =
        array_.isByLibrary ? piece.count : std::max<Index>(1, atOnce / number_.bytes);
    for (Index k = 0; k < piece.count; k += most) {
        const Index count = std::min(most, piece.count - k), offset = k * number_.bytes;
        from.read(all + offset, piece.first + k, count);
        add({all, bytesOf(piece), bytesOf(piece), 1}, offset, count * number_.bytes,
            offsetOf(piece) + offset);
    }
    if (array_.isSwapped) swapBytes(all, piece.count, number_);
    if (number_ != wanted) widen(elements, piece.count, number_, wanted);
}

void Stretch::add(const Rows& rows, Index from, Index bytes, Index offset) {
    if (checked_ == Checked::No) return;
    std::uint32_t remainder = 0;
    for (Index done = 0; done < bytes;) {
        const Index row = (from + done) / rows.bytes, at = (from + done) % rows.bytes;
        const Index length = std::min(rows.bytes - at, bytes - done);
        remainder = remainderOf(rows.first + row * rows.step + at, length, remainder);
        done += length;
    }
    const Index behind = array_.count() * number_.bytes - offset - bytes;
    remainder_ ^= moved(remainder, behind);
}

std::uint32_t Stretch::crc(const Entered& entered, std::uint32_t headRemainder,
                           Index headBytes) const {
    std::uint32_t all = remainder_;
    transport::combine(entered, apg(), {reinterpret_cast<char*>(&all), sizeof all, 1},
                       {addRemainder});
    const Index elements = array_.count() * number_.bytes;
    return crcOf(all ^ moved(headRemainder, elements), headBytes + elements);
}

}  // namespace hpspmd::detail::files
