// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/hdf5_image.hpp"

#ifdef H5_VERS_MAJOR

#include <algorithm>

#include "files/hdf5_attributes.hpp"

namespace hpspmd::detail::files::hdf {
namespace {

bool canBeShown(const Entry& entry) {
    const FileNumber::Kind kind = entry.array.number->kind;
    const bool isNumber =
        kind == FileNumber::Signed || kind == FileNumber::Unsigned || kind == FileNumber::Real;
    return isNumber && entry.array.shape.size() == 3 && entry.array.count() > 0;
}

/// VTK wants a string of fixed length.
void writeType(hid_t group) {
    const Hdf5& h = hdf5();
    const std::string text = "ImageData";
    const Id type = typeOf({FileNumber::Text, static_cast<std::uint32_t>(text.size())});
    const Id attribute(h.H5Acreate2(group, "Type", type, spaceOf({}), H5P_DEFAULT, H5P_DEFAULT),
                       h.H5Aclose, "make an attribute");
    require(h.H5Awrite(attribute, type, text.data()), "write an attribute");
}

Id madeGroup(hid_t parent, const std::string& name) {
    const Hdf5& h = hdf5();
    return {h.H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), h.H5Gclose,
            "make a group"};
}

}  // namespace

void addImage(hid_t file, const std::vector<Entry>& entries) {
    const Hdf5& h = hdf5();
    const auto first = std::ranges::find_if(entries, canBeShown);
    const bool isTaken = std::ranges::any_of(
        entries, [](const Entry& each) { return each.name.starts_with(imageGroup); });
    if (first == entries.end() || isTaken) return;
    const std::vector<Index>& shape = first->array.shape;
    const Id group = madeGroup(file, imageGroup), points = madeGroup(group, "PointData");
    writeType(group);
    const auto write = [&group](const char* name, const auto& value) {
        writeAttribute(group, name, fileValue(value));
    };
    write("Version", std::vector<Index>{1, 0});
    write("WholeExtent", std::vector<Index>{0, shape[2] - 1, 0, shape[1] - 1, 0, shape[0] - 1});
    write("Origin", std::vector<double>{0, 0, 0});
    write("Spacing", std::vector<double>{1, 1, 1});
    write("Direction", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    for (const Entry& entry : entries) {
        if (!canBeShown(entry) || entry.array.shape != shape) continue;
        std::string name = entry.name;
        std::ranges::replace(name, '/', '_');
        const std::string target = "/" + entry.name;
        // A second array of that name, as of "a/b" and "a_b", is left out.
        h.H5Lcreate_soft(target.c_str(), points, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }
}

}  // namespace hpspmd::detail::files::hdf

#endif
