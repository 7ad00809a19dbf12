// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>

#include "files/format.hpp"
#include "files/outcome.hpp"
#include "files/pieces.hpp"

namespace hpspmd::detail::files {

/// The array as files know it.
FileArray arrayOf(const FileOperand& array);

/// What a process does with its elements of a piece.
using OnPiece = std::function<void(char* elements, const Piece& piece)>;

/// Collective: brings the elements of each piece to the processes that handle them, and calls
/// `take` there.
void passToHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                    const OnPiece& take);
/// Collective: calls `give` for each piece, which sets the elements, and brings them to the array.
void passFromHandlers(const Entered& entered, const FileOperand& array, Handled handled,
                      const OnPiece& give);

/// What the first process has found, told to all.
FileArray told(const Entered& entered, FileArray found);
/// Failure unless shapes and types agree.
void requireFitting(const FileArray& found, const FileArray& wanted);

enum class Checked { No, Yes };

/// Elements that lie in one stretch of a file. Where it is checked, what is read or written is
/// added to a remainder.
class Stretch {
public:
    Stretch(DiskFile* file, const FileArray& array, FileNumber number, Checked checked)
        : file_(file), array_(array), number_(number), checked_(checked) {}

    void write(const char* elements, const Piece& piece);
    void read(char* elements, const Piece& piece);
    /// Collective: the CRC-32 of a head with this remainder and all elements.
    std::uint32_t crc(const Entered& entered, std::uint32_t headRemainder, Index headBytes) const;

private:
    Index offsetOf(const Piece& piece) const { return piece.first * number_.bytes; }
    Index bytesOf(const Piece& piece) const { return piece.count * number_.bytes; }
    void add(const char* elements, Index bytes, Index offset);

    DiskFile* file_;  ///< null where this process handles no elements
    const FileArray& array_;
    FileNumber number_;
    Checked checked_;
    std::uint32_t remainder_ = 0;
};

}  // namespace hpspmd::detail::files
