// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// HDF5 as far as files of arrays need it; nothing if its header was not there.

#include <string>
#include <utility>
#include <vector>

#include "files/format.hpp"
#include "files/library.hpp"

#if __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#endif

#ifdef H5_VERS_MAJOR

namespace hpspmd::detail::files::hdf {

#define HDF5_FUNCTION(name) decltype(&::name) name = library.function<decltype(::name)>(#name)

struct Hdf5 {
    Library library{"libhdf5_serial.so.103", "libhdf5-103-1"};
    HDF5_FUNCTION(H5dont_atexit);
    HDF5_FUNCTION(H5open);
    HDF5_FUNCTION(H5Eset_auto2);
    HDF5_FUNCTION(H5Ewalk2);
    HDF5_FUNCTION(H5free_memory);
    HDF5_FUNCTION(H5Zfilter_avail);
    HDF5_FUNCTION(H5Fcreate);
    HDF5_FUNCTION(H5Fopen);
    HDF5_FUNCTION(H5Fclose);
    HDF5_FUNCTION(H5Pcreate);
    HDF5_FUNCTION(H5Pclose);
    HDF5_FUNCTION(H5Pset_alloc_time);
    HDF5_FUNCTION(H5Pset_fill_time);
    HDF5_FUNCTION(H5Pset_create_intermediate_group);
    HDF5_FUNCTION(H5Pget_layout);
    HDF5_FUNCTION(H5Pget_chunk);
    HDF5_FUNCTION(H5Pget_nfilters);
    HDF5_FUNCTION(H5Pget_filter2);
    HDF5_FUNCTION(H5Pset_chunk_cache);
    HDF5_FUNCTION(H5Pget_external_count);
    HDF5_FUNCTION(H5Screate);
    HDF5_FUNCTION(H5Screate_simple);
    HDF5_FUNCTION(H5Sclose);
    HDF5_FUNCTION(H5Sget_simple_extent_ndims);
    HDF5_FUNCTION(H5Sget_simple_extent_type);
    HDF5_FUNCTION(H5Sselect_hyperslab);
    HDF5_FUNCTION(H5Sget_simple_extent_dims);
    HDF5_FUNCTION(H5Dcreate2);
    HDF5_FUNCTION(H5Dopen2);
    HDF5_FUNCTION(H5Dclose);
    HDF5_FUNCTION(H5Dget_offset);
    HDF5_FUNCTION(H5Dread);
    HDF5_FUNCTION(H5Dget_space);
    HDF5_FUNCTION(H5Dget_type);
    HDF5_FUNCTION(H5Dget_create_plist);
    HDF5_FUNCTION(H5Tcopy);
    HDF5_FUNCTION(H5Tcreate);
    HDF5_FUNCTION(H5Tclose);
    HDF5_FUNCTION(H5Tset_size);
    HDF5_FUNCTION(H5Tset_cset);
    HDF5_FUNCTION(H5Tget_size);
    HDF5_FUNCTION(H5Tget_class);
    HDF5_FUNCTION(H5Tget_sign);
    HDF5_FUNCTION(H5Tget_order);
    HDF5_FUNCTION(H5Tis_variable_str);
    HDF5_FUNCTION(H5Tinsert);
    HDF5_FUNCTION(H5Tget_nmembers);
    HDF5_FUNCTION(H5Tget_member_name);
    HDF5_FUNCTION(H5Tget_member_type);
    HDF5_FUNCTION(H5Tarray_create2);
    HDF5_FUNCTION(H5Tget_array_ndims);
    HDF5_FUNCTION(H5Tget_array_dims2);
    HDF5_FUNCTION(H5Tget_super);
    HDF5_FUNCTION(H5Tget_member_offset);
    HDF5_FUNCTION(H5Tenum_create);
    HDF5_FUNCTION(H5Tenum_insert);
    HDF5_FUNCTION(H5Acreate2);
    HDF5_FUNCTION(H5Aopen);
    HDF5_FUNCTION(H5Aexists);
    HDF5_FUNCTION(H5Awrite);
    HDF5_FUNCTION(H5Aread);
    HDF5_FUNCTION(H5Aget_type);
    HDF5_FUNCTION(H5Aget_space);
    HDF5_FUNCTION(H5Aiterate2);
    HDF5_FUNCTION(H5Aclose);
    HDF5_FUNCTION(H5Gopen2);
    HDF5_FUNCTION(H5Gclose);
    HDF5_FUNCTION(H5Gget_info);
    HDF5_FUNCTION(H5Gcreate2);
    HDF5_FUNCTION(H5Lcreate_soft);
    HDF5_FUNCTION(H5Lget_info);
    HDF5_FUNCTION(H5Lget_name_by_idx);
    HDF5_FUNCTION(H5Oopen);
    HDF5_FUNCTION(H5Oclose);
    HDF5_FUNCTION(H5Iget_type);

    Hdf5() {
        H5dont_atexit();  // it may crash there over files that were damaged
        H5open();
        H5Eset_auto2(0, nullptr, nullptr);  // what fails is told by us
    }

    /// A type or class of property lists, "H5T_IEEE_F64LE_g".
    hid_t variable(const std::string& name) const {
        return *static_cast<hid_t*>(library.symbol(name.c_str()));
    }
};

#undef HDF5_FUNCTION

const Hdf5& hdf5();
/// Files that others may have written are read by it in a process of its own (Apart).
inline const std::string libraryName = "libhdf5";

/// The last call of HDF5 has failed: "read it: it is damaged", unless the system says why.
[[noreturn]] void raise(std::string what);
void require(herr_t result, const char* what);

/// An identifier of HDF5, closed at the end.
class Id {
public:
    Id(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
        if (id < 0) raise(what);
    }
    ~Id() {
        if (id_ >= 0) close_(id_);
    }
    Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Id& operator=(Id&&) = delete;
    operator hid_t() const { return id_; }

    void close(const char* what) {
        if (close_(std::exchange(id_, -1)) < 0) raise(what);
    }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

constexpr unsigned readOnly = 0, readAndWrite = 1, truncated = 2;  // H5F_ACC_..

Id openFile(const std::string& path, unsigned how);

/// The type of such numbers in memory and, as h5py writes it, in files.
Id typeOf(FileNumber number);
/// Of an element; of objects a compound.
Id typeOf(const FileArray& array);
/// Sets number, fields and order; false for a type that is none of ours.
bool readType(hid_t type, FileArray& array);

Id spaceOf(const std::vector<Index>& shape);
/// The extents of a dataset or an attribute. Failure if it holds nothing, not even one element.
std::vector<Index> shapeOf(hid_t space);

}  // namespace hpspmd::detail::files::hdf

#endif
