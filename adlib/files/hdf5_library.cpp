// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/hdf5_library.hpp"

#ifdef H5_VERS_MAJOR

#include <algorithm>

namespace hpspmd::detail::files::hdf {

const Hdf5& hdf5() {
    static const Hdf5 instance;
    return instance;
}

namespace {

/// The system's words in an error of HDF5: .. error message = 'No space left on device' ..
herr_t takeCause(unsigned, const H5E_error2_t* error, void* cause) {
    const std::string text = error->desc != nullptr ? error->desc : "", begin = "error message = '";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) return 0;
    const std::size_t start = at + begin.size();
    *static_cast<std::string*>(cause) = text.substr(start, text.find('\'', start) - start);
    return 0;
}

}  // namespace

void raise(std::string what) {
    std::string cause;
    hdf5().H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeCause, &cause);
    if (!cause.empty()) what = what.substr(0, what.find(':')) + ": " + cause;
    throw Failure("HDF5 cannot " + what);
}

void require(herr_t result, const char* what) {
    if (result < 0) raise(what);
}

Id openFile(const std::string& path, unsigned how) {
    return {hdf5().H5Fopen(path.c_str(), how, H5P_DEFAULT), hdf5().H5Fclose,
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

Id typeOf(const FileArray& array) {
    const Hdf5& h = hdf5();
    if (array.fields.empty()) return typeOf(*array.number);
    Id type(h.H5Tcreate(H5T_COMPOUND, array.number->bytes), h.H5Tclose, "make a type");
    for (const FileField& field : array.fields) {
        const Id number = typeOf(field.number);
        const std::vector<hsize_t> extents(field.shape.begin(), field.shape.end());
        const auto rank = static_cast<unsigned>(extents.size());
        const auto insert = [&](hid_t member) {
            require(h.H5Tinsert(type, field.name.c_str(), static_cast<std::size_t>(field.offset),
                                member),
                    "make a type");
        };
        if (rank == 0)
            insert(number);
        else
            insert(Id(h.H5Tarray_create2(number, rank, extents.data()), h.H5Tclose, "make a type"));
    }
    return type;
}

namespace {

/// A member that is a number, or an array of numbers; false if it is none.
bool readMember(hid_t type, FileField& field) {
    const Hdf5& h = hdf5();
    if (h.H5Tget_class(type) == H5T_ARRAY) {
        const int rank = h.H5Tget_array_ndims(type);
        if (rank < 1 || rank > 2 || !field.shape.empty()) return false;
        std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
        if (h.H5Tget_array_dims2(type, extents.data()) < 0) return false;
        field.shape.assign(extents.begin(), extents.end());
        return readMember(Id(h.H5Tget_super(type), h.H5Tclose, "read a type"), field);
    }
    FileArray of;
    if (!readType(type, of) || of.isSwapped || of.number->kind >= FileNumber::Opaque) return false;
    field.number = *of.number;
    return true;
}

std::string memberName(hid_t type, unsigned which) {
    const Hdf5& h = hdf5();
    char* const found = h.H5Tget_member_name(type, which);
    if (found == nullptr) raise("read a type");
    const std::string name = found;
    h.H5free_memory(found);
    return name;
}

/// Two equal reals, one behind the other, called as h5py and others call them.
bool readComplex(hid_t type, FileArray& array) {
    const Hdf5& h = hdf5();
    if (h.H5Tget_nmembers(type) != 2) return false;
    const std::string names = memberName(type, 0) + " " + memberName(type, 1);
    if (names != "r i" && names != "re im" && names != "real imag") return false;
    const Id part(h.H5Tget_member_type(type, 0), h.H5Tclose, "read a type");
    const Id other(h.H5Tget_member_type(type, 1), h.H5Tclose, "read a type");
    FileArray of, imaginary;
    if (!readType(part, of) || !readType(other, imaginary) || of.number != imaginary.number ||
        of.number->kind != FileNumber::Real || 2 * of.number->bytes != h.H5Tget_size(type) ||
        h.H5Tget_member_offset(type, 1) != of.number->bytes)
        return false;
    array.isSwapped = of.isSwapped;
    array.number = FileNumber{FileNumber::Complex, 2 * of.number->bytes};
    return true;
}

bool readFields(hid_t type, FileArray& array) {
    const Hdf5& h = hdf5();
    const int count = h.H5Tget_nmembers(type);
    for (int k = 0; k < count; ++k) {
        const auto which = static_cast<unsigned>(k);
        FileField field{};
        field.name = memberName(type, which);
        field.offset = static_cast<Index>(h.H5Tget_member_offset(type, which));
        const Id member(h.H5Tget_member_type(type, which), h.H5Tclose, "read a type");
        if (!readMember(member, field)) return false;
        array.fields.push_back(field);
    }
    return count > 0;
}

}  // namespace

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
    case H5T_COMPOUND:
        if (readComplex(type, array)) return true;
        is(FileNumber::Opaque);
        return readFields(type, array);
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

std::vector<Index> shapeOf(hid_t space) {
    const Hdf5& h = hdf5();
    if (h.H5Sget_simple_extent_type(space) == H5S_NULL)
        throw Failure("it holds nothing, not even one element");
    std::vector<hsize_t> extents(
        static_cast<std::size_t>(std::max(0, h.H5Sget_simple_extent_ndims(space))));
    if (!extents.empty()) h.H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    return {extents.begin(), extents.end()};
}

}  // namespace hpspmd::detail::files::hdf

#endif
