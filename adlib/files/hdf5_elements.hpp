// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "files/hdf5_library.hpp"
#include "files/part.hpp"

#ifdef H5_VERS_MAJOR

namespace hpspmd::detail::files::hdf {

/// The elements of a dataset that only the library can read: they lie in chunks, are compressed, or
/// stand for those that nobody has written. Each process opens the file for itself.
std::unique_ptr<Elements> elementsOf(const std::string& file, const std::string& dataset,
                                     const FileArray& whole, const Part& part);

/// The filter by which a dataset was stored and that this library does not have; "" if it has all.
std::string missingFilter(hid_t creation);

}  // namespace hpspmd::detail::files::hdf

#endif
