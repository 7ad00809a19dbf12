// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "files/apart.hpp"
#include "files/container.hpp"
#include "files/hdf5_attributes.hpp"
#include "files/hdf5_elements.hpp"
#include "files/hdf5_image.hpp"
#include "files/hdf5_library.hpp"
#include "files/packed.hpp"

namespace hpspmd::detail::files {
namespace {

#ifdef H5_VERS_MAJOR

using namespace hdf;

// Files as h5py writes them: contiguous datasets, little-endian; complex numbers are compounds of
// r and i, bool is an enumeration. One process makes the structure by serial HDF5, which is told to
// give each dataset its place at once; all write and read the elements there themselves. What lies
// in chunks each process reads by the library.

class Hdf5Container final : public Container {
public:
    bool hasAttributes() const override { return true; }

    void add(DiskFile& file, const std::vector<Entry>& before, Entry& entry) const override {
        const Hdf5& h = hdf5();
        if (entry.attributes.has(checksum))
            throw Failure("the attribute '" + checksum + "' is that of Adlib");
        Id handle = before.empty() ? made(file) : openFile(file.path(), readAndWrite);
        const Id type = typeOf(entry.array), space = spaceOf(entry.array.shape);
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
        for (const auto& [name, value] : entry.attributes)
            writeAttribute(data, name, value.value());
        data.close("write it");
        handle.close("write it");
    }

    void end(DiskFile& file, const std::vector<Entry>& entries,
             const Adlib::Attributes& attributes) const override {
        const Hdf5& h = hdf5();
        Id handle = entries.empty() ? made(file) : openFile(file.path(), readAndWrite);
        for (const Entry& entry : entries) {
            const Id data(h.H5Dopen2(handle, entry.name.c_str(), H5P_DEFAULT), h.H5Dclose,
                          "find a dataset");
            writeAttribute(data, checksum, fileValue(*entry.crc));
        }
        for (const auto& [name, value] : attributes) writeAttribute(handle, name, value.value());
        addImage(handle, entries);
        handle.close("write it");
    }

    Contents look(DiskFile& file) const override {
        constexpr int seconds = 30;
        hdf5();
        Apart library(libraryName, [&](const std::string&) { return packed(looked(file)); });
        return unpackedContents(library.ask("", seconds));
    }

    std::unique_ptr<Elements> elements(DiskFile& file, const Entry& entry,
                                       const Part& part) const override {
        if (entry.array.isByLibrary) return elementsOf(file.path(), entry.name, entry.array, part);
        return placedElements(file, entry.array, part);
    }

private:
    static Contents looked(const DiskFile& file) {
        const Id handle = openFile(file.path(), readOnly);
        Contents contents;
        lookInto(handle, "/", "", 0, contents.entries);
        contents.attributes = attributesOf(handle);
        return contents;
    }

    static Id made(const DiskFile& file) {
        const Hdf5& h = hdf5();
        return {h.H5Fcreate(file.path().c_str(), truncated, H5P_DEFAULT, H5P_DEFAULT), h.H5Fclose,
                "make a file"};
    }

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
            if (inside.starts_with(imageGroup + "/") && isSoft(group, link)) continue;
            const H5I_type_t kind = h.H5Iget_type(opened);
            if (kind == H5I_GROUP && depth < deepest)
                lookInto(group, link, inside + "/", depth + 1, entries);
            if (kind == H5I_DATASET) entries.push_back(entryOf(opened, inside));
        }
    }

    static bool isSoft(hid_t group, const char* link) {
        H5L_info_t about;
        return hdf5().H5Lget_info(group, link, &about, H5P_DEFAULT) >= 0 &&
               about.type == H5L_TYPE_SOFT;
    }

    static Entry entryOf(hid_t data, const std::string& name) {
        const Hdf5& h = hdf5();
        Entry entry;
        entry.name = name;
        const Id space(h.H5Dget_space(data), h.H5Sclose, "read a shape");
        const Id type(h.H5Dget_type(data), h.H5Tclose, "read a type");
        try {
            entry.array.shape = shapeOf(space);
            if (!readType(type, entry.array) || !entry.array.isCountable())
                throw Failure("its elements are no numbers");
            place(data, entry.array);
        } catch (const Failure& failure) {
            entry.problem = failure.what();
        }
        entry.attributes = attributesOf(data);
        if (h.H5Aexists(data, checksum.c_str()) > 0) {
            const Id attribute(h.H5Aopen(data, checksum.c_str(), H5P_DEFAULT), h.H5Aclose,
                               "read an attribute");
            std::uint32_t crc = 0;
            const Id word = typeOf({FileNumber::Unsigned, 4});
            if (h.H5Aread(attribute, word, &crc) >= 0) entry.crc = crc;
        }
        return entry;
    }

    /// Where the elements are, or that the library reads them.
    static void place(hid_t data, FileArray& array) {
        const Hdf5& h = hdf5();
        const Id creation(h.H5Dget_create_plist(data), h.H5Pclose, "read a dataset");
        const H5D_layout_t layout = h.H5Pget_layout(creation);
        if (layout == H5D_VIRTUAL || h.H5Pget_external_count(creation) > 0)
            throw Failure(
                "its elements are in other files: h5repack -l CONTI makes a file that has them");
        if (const std::string filter = missingFilter(creation); !filter.empty())
            throw Failure("its elements are compressed by filter " + filter +
                          ", which this HDF5 does not have");
        const haddr_t offset = h.H5Dget_offset(data);
        array.isByLibrary = layout != H5D_CONTIGUOUS || offset == HADDR_UNDEF;
        if (array.isByLibrary)
            array.isSwapped = false;
        else
            array.offset = static_cast<Index>(offset);
    }
};

#else

class Hdf5Container final : public Container {
public:
    void add(DiskFile&, const std::vector<Entry>&, Entry&) const override { raise(); }
    void end(DiskFile&, const std::vector<Entry>&, const Adlib::Attributes&) const override {
        raise();
    }
    Contents look(DiskFile&) const override { raise(); }

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
