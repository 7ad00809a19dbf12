// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/hdf5_attributes.hpp"

#ifdef H5_VERS_MAJOR

#include <optional>

namespace hpspmd::detail::files::hdf {
namespace {

constexpr Index mostBytes = 1 << 20;  ///< of a value that is read

Id textType() {
    const Hdf5& h = hdf5();
    Id type(h.H5Tcopy(h.variable("H5T_C_S1_g")), h.H5Tclose, "make a type");
    require(h.H5Tset_size(type, H5T_VARIABLE), "make a type");
    require(h.H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
    return type;
}

herr_t takeName(hid_t, const char* name, const H5A_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

std::optional<FileValue> textOf(hid_t attribute, hid_t type) {
    const Hdf5& h = hdf5();
    std::string text;
    if (h.H5Tis_variable_str(type) > 0) {
        char* found = nullptr;
        if (h.H5Aread(attribute, type, &found) < 0) return std::nullopt;
        if (found != nullptr) text = found;
        h.H5free_memory(found);
    } else {
        text.resize(h.H5Tget_size(type));
        if (static_cast<Index>(text.size()) > mostBytes ||
            h.H5Aread(attribute, type, text.data()) < 0)
            return std::nullopt;
        text.resize(text.find_last_not_of('\0') + 1);
    }
    return fileValue(text);
}

/// Nothing if it is neither numbers nor one text.
std::optional<FileValue> valueOf(hid_t attribute) {
    const Hdf5& h = hdf5();
    const Id type(h.H5Aget_type(attribute), h.H5Tclose, "read an attribute");
    const Id space(h.H5Aget_space(attribute), h.H5Sclose, "read an attribute");
    if (h.H5Sget_simple_extent_type(space) == H5S_NULL) return std::nullopt;
    FileArray array;
    array.shape = shapeOf(space);
    if (h.H5Tget_class(type) == H5T_STRING)
        return array.isCountable() && array.count() == 1 ? textOf(attribute, type) : std::nullopt;
    if (!readType(type, array) || array.number->kind >= FileNumber::Opaque ||
        !array.isCountable() || array.count() * array.number->bytes > mostBytes)
        return std::nullopt;
    FileValue value{*array.number, array.shape, {}};
    value.bytes.resize(static_cast<std::size_t>(array.count() * array.number->bytes));
    if (h.H5Aread(attribute, typeOf(value.number), value.bytes.data()) < 0) return std::nullopt;
    return value;
}

}  // namespace

void writeAttribute(hid_t object, const std::string& name, const FileValue& value) {
    const Hdf5& h = hdf5();
    const bool isText = value.number.kind == FileNumber::Text;
    const Id type = isText ? textType() : typeOf(value.number);
    const Id space = spaceOf(value.shape);
    const std::string making = "make the attribute '" + name + "'";
    const Id attribute(h.H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                       h.H5Aclose, making.c_str());
    const std::string text = Adlib::Attribute(value).text();
    const char* const start = text.c_str();
    const void* const data = isText ? static_cast<const void*>(&start) : value.bytes.data();
    require(h.H5Awrite(attribute, type, data), making.c_str());
}

Adlib::Attributes attributesOf(hid_t object) {
    const Hdf5& h = hdf5();
    std::vector<std::string> names;
    hsize_t next = 0;
    require(h.H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &next, takeName, &names),
            "read the attributes");
    Adlib::Attributes attributes;
    for (const std::string& name : names) {
        const Id attribute(h.H5Aopen(object, name.c_str(), H5P_DEFAULT), h.H5Aclose,
                           "read an attribute");
        if (name == checksum) continue;
        if (std::optional<FileValue> value = valueOf(attribute))
            attributes.set(name, Adlib::Attribute(std::move(*value)));
    }
    return attributes;
}

}  // namespace hpspmd::detail::files::hdf

#endif
