// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Part of an array in a file: of each dimension some elements side by side.

#include <vector>

#include "files/format.hpp"
#include "files/pieces.hpp"

namespace hpspmd::detail::files {

using Part = std::vector<FileRange>;

/// What the part is by itself. Failure if the file's array has no such part.
FileArray partOf(const FileArray& whole, const Part& part);

/// Reads the elements of a piece of the part; `number`: what they are.
void readPart(DiskFile& file, const FileArray& whole, const Part& part, const Piece& piece,
              char* elements);

}  // namespace hpspmd::detail::files
