// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/attributes.hpp>

#include "files/hdf5_library.hpp"

#ifdef H5_VERS_MAJOR

namespace hpspmd::detail::files::hdf {

/// That of a dataset's elements, which Adlib writes, as an attribute of its own.
inline const std::string checksum = "crc32";

/// Of a dataset, a group or a file, as h5py writes them: text is UTF-8 of variable length.
void writeAttribute(hid_t object, const std::string& name, const FileValue& value);
/// All but the checksum and those that are neither numbers nor one text.
Adlib::Attributes attributesOf(hid_t object);

}  // namespace hpspmd::detail::files::hdf

#endif
