// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "files/container.hpp"
#include "files/hdf5_library.hpp"

#ifdef H5_VERS_MAJOR

namespace hpspmd::detail::files::hdf {

/// The group of a file that VTK and ParaView read as an image (VTKHDF 1.0).
inline const std::string imageGroup = "VTKHDF";

/// Makes that group, with links to the arrays of three dimensions that have the shape of the first
/// one; nothing if there is none. VTK 9.1 cannot read images of one or two dimensions from HDF5.
void addImage(hid_t file, const std::vector<Entry>& entries);

}  // namespace hpspmd::detail::files::hdf

#endif
