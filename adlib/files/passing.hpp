// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>

#include "files/format.hpp"
#include "files/outcome.hpp"
#include "files/part.hpp"
#include "files/pieces.hpp"

namespace hpspmd::detail::files {

/// The array as files know it.
FileArray arrayOf(const FileOperand& array);

/// What a process does with its elements of a piece: those of an array that holds all of them are
/// passed where they lie, if their rows are long.
using OnRows = std::function<void(const Rows& elements, const Piece& piece)>;
using OnPiece = std::function<void(char* elements, const Piece& piece)>;

/// Collective: brings the elements of each piece to the processes that handle them, and calls
/// `take` there.
void passToHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                    const OnRows& take);
/// Collective: calls `give` for each piece, which sets the elements, and brings them to the array.
void passFromHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                      const OnPiece& give);

/// What the first process has found, told to all.
FileArray told(const Entered& entered, const FileArray& found);
/// Failure unless shapes agree, and types do or those of the array are wider.
void requireFitting(const FileArray& found, const FileArray& wanted);

enum class Checked { No, Yes };

/// Elements that this process passes to a file, where they lie in one stretch, or from it; each is
/// a `number`. Where it is checked, they are added to a remainder.
class Stretch {
public:
    Stretch(DiskFile* file, const FileArray& array, FileNumber number, Checked checked)
        : file_(file), array_(array), number_(number), checked_(checked) {}

    void write(const Rows& elements, const Piece& piece);
    /// Sets elements that are `wanted`, the file's number or a wider one.
    void read(Elements& from, char* elements, const Piece& piece, FileNumber wanted);
    /// Collective: the CRC-32 of a head with this remainder and all elements.
    std::uint32_t crc(const Entered& entered, std::uint32_t headRemainder, Index headBytes) const;

private:
    Index offsetOf(const Piece& piece) const { return piece.first * number_.bytes; }
    Index bytesOf(const Piece& piece) const { return piece.count * number_.bytes; }
    void add(const Rows& rows, Index from, Index bytes, Index offset);

    DiskFile* file_;  ///< null where this process writes none
    const FileArray& array_;
    FileNumber number_;
    Checked checked_;
    std::uint32_t remainder_ = 0;
};

}  // namespace hpspmd::detail::files
