// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/passing.hpp"

#include <algorithm>
#include <hpspmd/active.hpp>

#include "files/remainder.hpp"
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

/// The elements of a piece where the array holds all of them, in the order of the file; else null.
char* inPlace(const Piece& piece, const FileOperand& array) {
    if (apg().size() > 1 || piece.count == 0) return nullptr;
    Index offset = 0;
    for (std::size_t r = 0; r < piece.array.size(); ++r) {
        const auto& [range, stride] = piece.array[r];
        Index count = 0;
        for (const Block& block : range.localBlocks()) {
            if (count > 0 ||
                (block.count > 1 && block.localStep * stride != piece.handled[r].stride))
                return nullptr;
            count = block.count;
            offset += block.localBase * stride;
        }
    }
    return static_cast<char*>(array.array.data) + offset * array.number.bytes;
}

/// Calls action(piece, elements) with room for this process's elements of each piece.
template <class Action>
void withRoom(const FileOperand& array, Handled handled, const Action& action) {
    const Index size = array.number.bytes;
    std::vector<char> elements;
    forEachPiece(array.array.layout, size, handled, [&](const Piece& piece) {
        elements.resize(static_cast<std::size_t>(piece.count * size));
        action(piece, elements.data());
    });
}

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
    return result;
}

void passToHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                    const OnPiece& take) {
    withRoom(array, handled, [&](const Piece& piece, char* elements) {
        if (char* const there = inPlace(piece, array)) return take(there, piece);
        const plan::Operation move =
            plan::remap(handledPart(piece, array.array), partOf(piece, array.array));
        Transfer(ownPlan(move), array.array.elementSize)
            .execute(entered, elements, array.array.data);
        take(elements, piece);
    });
}

void passFromHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                      const OnPiece& give) {
    markWritten(array.array.layout);
    withRoom(array, handled, [&](const Piece& piece, char* elements) {
        give(elements, piece);
        const plan::Operation move =
            plan::remap(partOf(piece, array.array), handledPart(piece, array.array));
        Transfer(ownPlan(move), array.array.elementSize)
            .execute(entered, array.array.data, elements);
    });
    observeWritten(entered.name, entered.where, array.array);
}

FileArray told(const Entered& entered, FileArray found) {
    struct Head {
        Index rank, offset;
        FileNumber number;
        bool hasNumber, isSwapped;
    };
    Head head{static_cast<Index>(found.shape.size()), found.offset,
              found.number.value_or(FileNumber{}), found.number.has_value(), found.isSwapped};
    transport::broadcast(entered, apg(), 0, &head, sizeof head);
    found.shape.resize(static_cast<std::size_t>(head.rank));
    transport::broadcast(entered, apg(), 0, found.shape.data(), found.shape.size() * sizeof(Index));
    found.offset = head.offset;
    if (head.hasNumber) found.number = head.number;
    found.isSwapped = head.isSwapped;
    return found;
}

void requireFitting(const FileArray& found, const FileArray& wanted) {
    const bool sameNumber = !found.number || *found.number == *wanted.number;
    if (found.shape == wanted.shape && sameNumber) return;
    throw Failure("it has " + describe(found) + ", the array is " + describe(wanted));
}

void Stretch::write(const char* elements, const Piece& piece) {
    // What a sum has been made of is still in the caches when it goes to the file.
    constexpr Index most = 4 << 20;
    for (Index at = 0; at < bytesOf(piece); at += most) {
        const Index offset = offsetOf(piece) + at, bytes = std::min(most, bytesOf(piece) - at);
        add(elements + at, bytes, offset);
        file_->write(elements + at, bytes, array_.offset + offset);
    }
}

void Stretch::read(char* elements, const Piece& piece) {
    if (piece.count == 0) return;
    file_->read(elements, bytesOf(piece), array_.offset + offsetOf(piece));
    add(elements, bytesOf(piece), offsetOf(piece));
    if (array_.isSwapped) swapBytes(elements, piece.count, number_);
}

void Stretch::add(const char* elements, Index bytes, Index offset) {
    if (checked_ == Checked::No) return;
    const Index behind = array_.count() * number_.bytes - offset - bytes;
    remainder_ ^= moved(remainderOf(elements, bytes), behind);
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
