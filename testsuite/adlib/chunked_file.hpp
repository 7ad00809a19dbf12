// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A .h5 file as others write it: in compressed chunks.

#include "files/hdf5_library.hpp"

#ifdef H5_VERS_MAJOR

#include <numeric>
#include <string>
#include <vector>

namespace hpspmd::test {

/// Rows and columns.
struct Extents {
    Index rows, columns;
};

/// A dataset "data" of doubles, each its number in it.
inline void writeChunked(const std::string& path, Extents whole, Extents chunk) {
    namespace hdf = detail::files::hdf;
    const hdf::Hdf5& h = hdf::hdf5();
#define HDF5_FUNCTION(name) h.library.function<decltype(::name)>(#name)
    const hdf::Id file(h.H5Fcreate(path.c_str(), hdf::truncated, H5P_DEFAULT, H5P_DEFAULT),
                       h.H5Fclose, "make a file");
    const hdf::Id creation(h.H5Pcreate(h.variable("H5P_CLS_DATASET_CREATE_ID_g")), h.H5Pclose,
                           "make a property list");
    const hsize_t extents[] = {static_cast<hsize_t>(chunk.rows),
                               static_cast<hsize_t>(chunk.columns)};
    hdf::require(HDF5_FUNCTION(H5Pset_chunk)(creation, 2, extents), "set chunks");
    hdf::require(HDF5_FUNCTION(H5Pset_deflate)(creation, 1), "compress");
    const hdf::Id space = hdf::spaceOf({whole.rows, whole.columns}),
                  type = hdf::typeOf(detail::FileNumber{detail::FileNumber::Real, 8});
    const hdf::Id data(h.H5Dcreate2(file, "data", type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                       h.H5Dclose, "make a dataset");
    std::vector<double> elements(static_cast<std::size_t>(whole.rows * whole.columns));
    std::iota(elements.begin(), elements.end(), 0.0);
    hdf::require(
        HDF5_FUNCTION(H5Dwrite)(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()),
        "write");
#undef HDF5_FUNCTION
}

}  // namespace hpspmd::test

#endif
