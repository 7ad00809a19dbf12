// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Part of an array in a file: of each dimension some elements side by side.

#include <functional>
#include <vector>

#include "files/format.hpp"

namespace hpspmd::detail::files {

using Part = std::vector<FileRange>;

/// All of an array.
Part allOf(const FileArray& whole);
/// What the part is by itself. Failure if the file's array has no such part.
FileArray partOf(const FileArray& whole, const Part& part);

/// Elements of a part that are one part again.
struct Box {
    std::vector<Index> first, extent;
    Index count;
};

/// Elements first .. first + count - 1 of an array, in row-major order, as boxes in this order:
/// of 4 x 5 the elements 3 .. 13 are 3 .. 4 of row 0, row 1, and 0 .. 3 of row 2.
void forEachBox(const std::vector<Index>& shape, Index first, Index count,
                const std::function<void(const Box&)>& action);

/// The elements of a part of an array in a file, counted in the part's row-major order.
class Elements {
public:
    virtual ~Elements() = default;
    /// Element `first` and those behind it, in the file's type and order of bytes.
    virtual void read(char* to, Index first, Index count) = 0;
};

/// Of an array that lies in one stretch.
std::unique_ptr<Elements> placedElements(DiskFile& file, const FileArray& whole, const Part& part);

}  // namespace hpspmd::detail::files
