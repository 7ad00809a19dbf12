// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/hdf5_elements.hpp"

#ifdef H5_VERS_MAJOR

#include <algorithm>
#include <cstring>

#include "files/apart.hpp"

namespace hpspmd::detail::files::hdf {
namespace {

using Extents = std::vector<hsize_t>;

/// How a dataset is opened: the library keeps the chunks that stand side by side, so that each is
/// decompressed once where rows are read one after the other.
Id accessTo(const std::vector<Index>& shape, hid_t data, FileNumber number) {
    constexpr double most = 64 << 20;
    const Hdf5& h = hdf5();
    Id access(h.H5Pcreate(h.variable("H5P_CLS_DATASET_ACCESS_ID_g")), h.H5Pclose, "read it");
    const Id creation(h.H5Dget_create_plist(data), h.H5Pclose, "read it");
    if (shape.empty() || h.H5Pget_layout(creation) != H5D_CHUNKED) return access;
    Extents chunk(shape.size());
    const int rank = static_cast<int>(shape.size());
    if (h.H5Pget_chunk(creation, rank, chunk.data()) != rank) return access;
    double bytes = number.bytes, beside = 1;
    for (std::size_t r = 0; r < chunk.size(); ++r) {
        const auto width = static_cast<double>(std::max<hsize_t>(1, chunk[r]));
        bytes *= width;
        if (r > 0) beside *= std::max(1.0, (static_cast<double>(shape[r]) + width - 1) / width);
    }
    const double kept = std::max(bytes, std::min(most, bytes * beside)),
                 slots = std::clamp(20 * kept / bytes, 521.0, 1e6);
    constexpr double droppedWhenRead = 1;  // what has been read completely is dropped first
    h.H5Pset_chunk_cache(access, static_cast<std::size_t>(slots) | 1,
                         static_cast<std::size_t>(kept), droppedWhenRead);
    return access;
}

class DatasetElements final : public Elements {
public:
    DatasetElements(const std::string& file, const std::string& dataset, const FileArray& whole,
                    const Part& part)
        : file_(openFile(file, readOnly)),
          data_(opened(dataset, whole)),
          space_(hdf5().H5Dget_space(data_), hdf5().H5Sclose, "read a shape"),
          type_(typeInMemory(*whole.number)),
          bytes_(whole.number->bytes),
          part_(part) {
        if (shapeOf(space_) != whole.shape) throw Failure("it has changed while it was read");
        for (const FileRange& each : part) shape_.push_back(each.count);
    }

    void read(char* to, Index first, Index count) override {
        const Hdf5& h = hdf5();
        forEachBox(shape_, first, count, [&](const Box& box) {
            Extents start, extent;
            for (std::size_t r = 0; r < shape_.size(); ++r) {
                start.push_back(static_cast<hsize_t>(part_[r].first + box.first[r]));
                extent.push_back(static_cast<hsize_t>(box.extent[r]));
            }
            if (!shape_.empty())
                require(h.H5Sselect_hyperslab(space_, H5S_SELECT_SET, start.data(), nullptr,
                                              extent.data(), nullptr),
                        "read a part of it");
            const Id room = spaceOf({box.count});
            require(h.H5Dread(data_, type_, room, space_, H5P_DEFAULT, to),
                    "read its elements: they are damaged");
            to += box.count * bytes_;
        });
    }

private:
    /// While a dataset is open, whoever opens it once more gets the same, with its cache.
    Id opened(const std::string& dataset, const FileArray& whole) const {
        const Hdf5& h = hdf5();
        const auto open = [&](hid_t access) {
            return Id(h.H5Dopen2(file_, dataset.c_str(), access), h.H5Dclose, "read it");
        };
        const Id access = accessTo(whole.shape, open(H5P_DEFAULT), *whole.number);
        return open(access);
    }

    /// Ours, so that the library turns numbers round; for what is none, the file's.
    Id typeInMemory(FileNumber number) const {
        const bool isNumber =
            number.kind < FileNumber::Opaque && number.kind != FileNumber::Boolean;
        if (isNumber) return typeOf(number);
        return {hdf5().H5Dget_type(data_), hdf5().H5Tclose, "read a type"};
    }

    Id file_, data_, space_, type_;
    Index bytes_;
    Part part_;
    std::vector<Index> shape_;
};

/// The same, which another process reads.
class ElementsApart final : public Elements {
public:
    ElementsApart(const std::string& file, const std::string& dataset, const FileArray& whole,
                  const Part& part)
        : bytes_(whole.number->bytes),
          library_(libraryName, [=, elements = std::shared_ptr<Elements>()](
                                    const std::string& question) mutable {
              if (!elements)
                  elements = std::make_shared<DatasetElements>(file, dataset, whole, part);
              Asked asked{};
              std::memcpy(&asked, question.data(), sizeof asked);
              std::string answer(static_cast<std::size_t>(asked.count * whole.number->bytes), 0);
              elements->read(answer.data(), asked.first, asked.count);
              return answer;
          }) {}

    void read(char* to, Index first, Index count) override {
        constexpr Index most = 1 << 20;  // bytes; the other process has room for so many
        const Index atOnce = std::max<Index>(1, most / bytes_);
        for (const Index end = first + count; first < end; first += atOnce) {
            const Asked asked{first, std::min(atOnce, end - first)};
            const std::string answer =
                library_.ask({reinterpret_cast<const char*>(&asked), sizeof asked}, secondsForOne);
            if (answer.size() != static_cast<std::size_t>(asked.count * bytes_))
                throw Failure("it is damaged");
            std::memcpy(to, answer.data(), answer.size());
            to += answer.size();
        }
    }

private:
    struct Asked {
        Index first, count;
    };
    /// Chunks may be large, and slow to decompress.
    static constexpr int secondsForOne = 300;

    Index bytes_;
    Apart library_;
};

}  // namespace

std::unique_ptr<Elements> elementsOf(const std::string& file, const std::string& dataset,
                                     const FileArray& whole, const Part& part) {
    hdf5();
    return std::make_unique<ElementsApart>(file, dataset, whole, part);
}

std::string missingFilter(hid_t creation) {
    const Hdf5& h = hdf5();
    for (int k = 0; k < h.H5Pget_nfilters(creation); ++k) {
        unsigned flags = 0, about = 0;
        std::size_t values = 0;
        char name[100] = "";
        const H5Z_filter_t filter =
            h.H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr,
                             sizeof name - 1, name, &about);
        if (filter < 0 || h.H5Zfilter_avail(filter) > 0) continue;
        return std::to_string(filter) + (name[0] == '\0' ? "" : " (" + std::string(name) + ")");
    }
    return "";
}

}  // namespace hpspmd::detail::files::hdf

#endif
