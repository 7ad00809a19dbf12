// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "files/container.hpp"
#include "files/library.hpp"

#if __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#endif

namespace hpspmd::detail::files {
namespace {

#ifdef H5_VERS_MAJOR

// Files as h5py writes them: contiguous datasets, little-endian; complex numbers are compounds of
// r and i, bool is an enumeration. One process makes the structure by serial HDF5, which is told to
// give each dataset its place at once; all write and read the elements there themselves.

constexpr unsigned readOnly = 0, readAndWrite = 1, truncated = 2;  // H5F_ACC_..
const char* const checksum = "crc32";

#define HDF5_FUNCTION(name) decltype(&::name) name = library.function<decltype(::name)>(#name)

struct Hdf5 {
    Library library{"libhdf5_serial.so.103", "libhdf5-103-1"};
    HDF5_FUNCTION(H5dont_atexit);
    HDF5_FUNCTION(H5open);
    HDF5_FUNCTION(H5Eset_auto2);
    HDF5_FUNCTION(H5Ewalk2);
    HDF5_FUNCTION(H5Fcreate);
    HDF5_FUNCTION(H5Fopen);
    HDF5_FUNCTION(H5Fclose);
    HDF5_FUNCTION(H5Pcreate);
    HDF5_FUNCTION(H5Pclose);
    HDF5_FUNCTION(H5Pset_alloc_time);
    HDF5_FUNCTION(H5Pset_fill_time);
    HDF5_FUNCTION(H5Pset_create_intermediate_group);
    HDF5_FUNCTION(H5Pget_layout);
    HDF5_FUNCTION(H5Pget_external_count);
    HDF5_FUNCTION(H5Screate);
    HDF5_FUNCTION(H5Screate_simple);
    HDF5_FUNCTION(H5Sclose);
    HDF5_FUNCTION(H5Sget_simple_extent_ndims);
    HDF5_FUNCTION(H5Sget_simple_extent_dims);
    HDF5_FUNCTION(H5Dcreate2);
    HDF5_FUNCTION(H5Dopen2);
    HDF5_FUNCTION(H5Dclose);
    HDF5_FUNCTION(H5Dget_offset);
    HDF5_FUNCTION(H5Dget_space);
    HDF5_FUNCTION(H5Dget_type);
    HDF5_FUNCTION(H5Dget_create_plist);
    HDF5_FUNCTION(H5Tcopy);
    HDF5_FUNCTION(H5Tcreate);
    HDF5_FUNCTION(H5Tclose);
    HDF5_FUNCTION(H5Tset_size);
    HDF5_FUNCTION(H5Tget_size);
    HDF5_FUNCTION(H5Tget_class);
    HDF5_FUNCTION(H5Tget_sign);
    HDF5_FUNCTION(H5Tget_order);
    HDF5_FUNCTION(H5Tis_variable_str);
    HDF5_FUNCTION(H5Tinsert);
    HDF5_FUNCTION(H5Tget_nmembers);
    HDF5_FUNCTION(H5Tget_member_type);
    HDF5_FUNCTION(H5Tget_member_offset);
    HDF5_FUNCTION(H5Tenum_create);
    HDF5_FUNCTION(H5Tenum_insert);
    HDF5_FUNCTION(H5Acreate2);
    HDF5_FUNCTION(H5Aopen);
    HDF5_FUNCTION(H5Aexists);
    HDF5_FUNCTION(H5Awrite);
    HDF5_FUNCTION(H5Aread);
    HDF5_FUNCTION(H5Aclose);
    HDF5_FUNCTION(H5Gopen2);
    HDF5_FUNCTION(H5Gclose);
    HDF5_FUNCTION(H5Gget_info);
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

const Hdf5& hdf5() {
    static const Hdf5 instance;
    return instance;
}

/// The system's words in an error of HDF5: .. error message = 'No space left on device' ..
herr_t takeCause(unsigned, const H5E_error2_t* error, void* cause) {
    const std::string text = error->desc != nullptr ? error->desc : "", begin = "error message = '";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return 0;
    const std::size_t start = at + begin.size();
    *static_cast<std::string*>(cause) = text.substr(start, text.find('\'', start) - start);
    return 0;
}

/// The last call of HDF5 has failed: "read it: it is damaged", unless the system says why.
[[noreturn]] void raise(std::string what) {
    std::string cause;
    hdf5().H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeCause, &cause);
    if (!cause.empty()) what = what.substr(0, what.find(':')) + ": " + cause;
    throw Failure("HDF5 cannot " + what);
}

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

void require(herr_t result, const char* what) {
    if (result < 0) raise(what);
}

Id openFile(const DiskFile& file, unsigned how) {
    return {hdf5().H5Fopen(file.path().c_str(), how, H5P_DEFAULT), hdf5().H5Fclose,
            "read it: it is no HDF5 file, or is damaged"};
}

Id typeOf(FileNumber number) {
    const Hdf5& h = hdf5();
    const std::string bits = std::to_string(8 * number.bytes);
    const auto copied = [&](const std::string& name) {
        return Id(h.H5Tcopy(h.variable(name + "_g")), h.H5Tclose, "make a type");
    };
    switch (number.kind) {
    case FileNumber::Signed:
        return copied("H5T_STD_I" + bits + "LE");
    case FileNumber::Unsigned:
        return copied("H5T_STD_U" + bits + "LE");
    case FileNumber::Real:
        return copied("H5T_IEEE_F" + bits + "LE");
    case FileNumber::Boolean: {
        Id type(h.H5Tenum_create(h.variable("H5T_STD_I8LE_g")), h.H5Tclose, "make a type");
        const signed char values[] = {0, 1};
        require(h.H5Tenum_insert(type, "FALSE", &values[0]), "make a type");
        require(h.H5Tenum_insert(type, "TRUE", &values[1]), "make a type");
        return type;
    }
    case FileNumber::Complex: {
        Id type(h.H5Tcreate(H5T_COMPOUND, number.bytes), h.H5Tclose, "make a type");
        const Id part = typeOf({FileNumber::Real, number.bytes / 2});
        require(h.H5Tinsert(type, "r", 0, part), "make a type");
        require(h.H5Tinsert(type, "i", number.bytes / 2, part), "make a type");
        return type;
    }
    case FileNumber::Text: {
        Id type = copied("H5T_C_S1");
        require(h.H5Tset_size(type, number.bytes), "make a type");
        return type;
    }
    default:
        return {h.H5Tcreate(H5T_OPAQUE, number.bytes), h.H5Tclose, "make a type"};
    }
}

/// Sets number and order; false for a type that is none of ours.
bool readType(hid_t type, FileArray& array) {
    const Hdf5& h = hdf5();
    const auto bytes = static_cast<std::uint32_t>(h.H5Tget_size(type));
    const auto is = [&](FileNumber::Kind kind) { array.number = FileNumber{kind, bytes}; };
    array.isSwapped = h.H5Tget_order(type) == H5T_ORDER_BE;
    const bool isPower = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    switch (h.H5Tget_class(type)) {
    case H5T_INTEGER:
        is(h.H5Tget_sign(type) == H5T_SGN_NONE ? FileNumber::Unsigned : FileNumber::Signed);
        return isPower;
    case H5T_FLOAT:
        is(FileNumber::Real);
        return bytes == 4 || bytes == 8;
    case H5T_ENUM:
        is(FileNumber::Boolean);
        return bytes == 1;
    case H5T_COMPOUND: {
        if (h.H5Tget_nmembers(type) != 2) return false;
        const Id part(h.H5Tget_member_type(type, 0), h.H5Tclose, "read a type");
        FileArray of;
        const bool isComplex = readType(part, of) && of.number->kind == FileNumber::Real &&
                               2 * of.number->bytes == bytes &&
                               h.H5Tget_member_offset(type, 1) == of.number->bytes;
        array.isSwapped = of.isSwapped;
        is(FileNumber::Complex);
        return isComplex;
    }
    case H5T_STRING:
        is(FileNumber::Text);
        return h.H5Tis_variable_str(type) == 0;
    case H5T_OPAQUE:
        is(FileNumber::Opaque);
        return bytes > 0;
    default:
        return false;
    }
}

Id spaceOf(const std::vector<Index>& shape) {
    const Hdf5& h = hdf5();
    const std::vector<hsize_t> extents(shape.begin(), shape.end());
    const hid_t space =
        shape.empty() ? h.H5Screate(H5S_SCALAR)
                      : h.H5Screate_simple(static_cast<int>(shape.size()), extents.data(), nullptr);
    return {space, h.H5Sclose, "make a shape"};
}

class Hdf5Container final : public Container {
public:
    void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const override {
        const Hdf5& h = hdf5();
        Id handle = before.empty()
                        ? Id(h.H5Fcreate(file.path().c_str(), truncated, H5P_DEFAULT, H5P_DEFAULT),
                             h.H5Fclose, "make a file")
                        : openFile(file, readAndWrite);
        const Id type = typeOf(*entry.array.number), space = spaceOf(entry.array.shape);
        const Id creation(h.H5Pcreate(h.variable("H5P_CLS_DATASET_CREATE_ID_g")), h.H5Pclose,
                          "make a dataset");
        const Id links(h.H5Pcreate(h.variable("H5P_CLS_LINK_CREATE_ID_g")), h.H5Pclose,
                       "make a dataset");
        h.H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
        h.H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
        h.H5Pset_create_intermediate_group(links, 1);
        Id data(h.H5Dcreate2(handle, entry.name.c_str(), type, space, links, creation, H5P_DEFAULT),
                h.H5Dclose, "make a dataset of that name");
        const haddr_t offset = h.H5Dget_offset(data);
        if (offset == HADDR_UNDEF && entry.array.count() > 0)
            throw Failure("HDF5 gives a dataset no place");
        entry.array.offset = offset == HADDR_UNDEF ? 0 : static_cast<Index>(offset);
        data.close("write it");
        handle.close("write it");
    }

    void end(DiskFile& file, const std::vector<Entry>& entries) const override {
        const Hdf5& h = hdf5();
        Id handle = openFile(file, readAndWrite);
        const Id type = typeOf({FileNumber::Unsigned, 4}), space = spaceOf({});
        for (const Entry& entry : entries) {
            const Id data(h.H5Dopen2(handle, entry.name.c_str(), H5P_DEFAULT), h.H5Dclose,
                          "find a dataset");
            const Id attribute(h.H5Acreate2(data, checksum, type, space, H5P_DEFAULT, H5P_DEFAULT),
                               h.H5Aclose, "make an attribute");
            require(h.H5Awrite(attribute, type, &*entry.crc), "write an attribute");
        }
        handle.close("write it");
    }

    std::vector<Entry> look(DiskFile& file) const override {
        const Id handle = openFile(file, readOnly);
        std::vector<Entry> entries;
        lookInto(handle, "/", "", 0, entries);
        return entries;
    }

private:
    static void lookInto(hid_t parent, const std::string& name, const std::string& path, int depth,
                         std::vector<Entry>& entries) {
        constexpr int deepest = 20;  // links may make circles
        constexpr std::size_t most = 100000;
        const Hdf5& h = hdf5();
        const Id group(h.H5Gopen2(parent, name.c_str(), H5P_DEFAULT), h.H5Gclose, "read a group");
        H5G_info_t about;
        require(h.H5Gget_info(group, &about), "read a group");
        for (hsize_t k = 0; k < about.nlinks && entries.size() < most; ++k) {
            char link[1001];
            const auto length = h.H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k,
                                                     link, sizeof link, H5P_DEFAULT);
            if (length < 0 || length >= static_cast<ssize_t>(sizeof link)) continue;
            const hid_t object = h.H5Oopen(group, link, H5P_DEFAULT);
            if (object < 0) continue;  // a link to nothing
            const Id opened(object, h.H5Oclose, "read");
            const std::string inside = path + link;
            const H5I_type_t kind = h.H5Iget_type(opened);
            if (kind == H5I_GROUP && depth < deepest)
                lookInto(group, link, inside + "/", depth + 1, entries);
            if (kind == H5I_DATASET) entries.push_back(entryOf(opened, inside));
        }
    }

    static Entry entryOf(hid_t data, const std::string& name) {
        const Hdf5& h = hdf5();
        Entry entry;
        entry.name = name;
        const Id space(h.H5Dget_space(data), h.H5Sclose, "read a shape");
        std::vector<hsize_t> extents(
            static_cast<std::size_t>(std::max(0, h.H5Sget_simple_extent_ndims(space))));
        if (!extents.empty()) h.H5Sget_simple_extent_dims(space, extents.data(), nullptr);
        entry.array.shape.assign(extents.begin(), extents.end());
        const Id type(h.H5Dget_type(data), h.H5Tclose, "read a type");
        const bool isKnown = readType(type, entry.array);
        const Id creation(h.H5Dget_create_plist(data), h.H5Pclose, "read a dataset");
        const haddr_t offset = h.H5Dget_offset(data);
        if (!isKnown || !entry.array.isCountable())
            entry.problem = "its elements are no numbers";
        else if (h.H5Pget_layout(creation) != H5D_CONTIGUOUS ||
                 h.H5Pget_external_count(creation) > 0)
            entry.problem =
                "its elements do not lie in one stretch: h5repack -l CONTI makes such a file";
        else if (offset == HADDR_UNDEF && entry.array.count() > 0)
            entry.problem = "nothing has been written into it";
        else
            entry.array.offset = offset == HADDR_UNDEF ? 0 : static_cast<Index>(offset);
        if (h.H5Aexists(data, checksum) > 0) {
            const Id attribute(h.H5Aopen(data, checksum, H5P_DEFAULT), h.H5Aclose,
                               "read an attribute");
            std::uint32_t crc = 0;
            const Id word = typeOf({FileNumber::Unsigned, 4});
            if (h.H5Aread(attribute, word, &crc) >= 0) entry.crc = crc;
        }
        return entry;
    }
};

#else

class Hdf5Container final : public Container {
public:
    void add(DiskFile&, const std::vector<Entry>&, Entry&) const override { raise(); }
    void end(DiskFile&, const std::vector<Entry>&) const override { raise(); }
    std::vector<Entry> look(DiskFile&) const override { raise(); }

private:
    [[noreturn]] static void raise() { raiseBuiltWithout("HDF5", "libhdf5-dev"); }
};

#endif

}  // namespace

const Container& hdf5Container() {
    static const Hdf5Container container;
    return container;
}

}  // namespace hpspmd::detail::files
