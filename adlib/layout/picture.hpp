// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/cost.hpp>
#include <string>

namespace hpspmd::layout {

/// An array in a picture.
struct Shown {
    std::string title;  ///< what it is called, and its ranges
    detail::Layouts array;
    std::size_t elementSize = 8;
};

/// Who holds which elements of arrays, as a page of HTML: a picture in SVG for each array, of at
/// most 64 x 64 stretches of locations, with a colour for each process; a table of what each of the
/// first 64 processes holds and sends to whom in writeHalo; and a script, by which a cell tells
/// owner, local subscripts and whose ghost cell it is, and a process shows its ghost cells.
/// invalid_argument for arrays of rank 0.
std::string pageOf(const std::vector<Shown>& arrays);

}  // namespace hpspmd::layout
