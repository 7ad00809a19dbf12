// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "files/format.hpp"

namespace hpspmd::detail::files {

/// What stands before the elements of an array in NumPy's format.
std::string npyStart(const FileArray& array);
/// The array that begins at this offset, with the offset of its elements.
FileArray npyArray(DiskFile& file, Index start);

}  // namespace hpspmd::detail::files
