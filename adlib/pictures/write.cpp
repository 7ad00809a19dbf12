// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/pictures.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <hpspmd/active.hpp>
#include <limits>

#include "checks/checks.hpp"
#include "files/new_file.hpp"
#include "files/passing.hpp"
#include "files/request.hpp"
#include "files/values.hpp"
#include "pictures/picture.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {
namespace files {
namespace {

constexpr Index mostOnSide = 2048;

/// A dimension of the array as pixels: location g is in pixel g * pixels / extent.
struct Side {
    Index extent, pixels;

    explicit Side(Index n) : extent(n), pixels(std::min(n, mostOnSide)) {}
    Index pixelOf(Index g) const { return g * pixels / extent; }
    Index locationsOf(Index pixel) const { return firstOf(pixel + 1) - firstOf(pixel); }
    Index firstOf(Index pixel) const { return (pixel * extent + pixels - 1) / pixels; }
};

/// The means of the elements of each pixel.
class Means {
public:
    explicit Means(const FileOperand& array)
        : array_(array),
          layout_(array.array.layout),
          rows_(layout_[0].range.size()),
          columns_(layout_[1].range.size()),
          channels_(layout_.rank == 3 ? 3 : 1),
          sums_(static_cast<std::size_t>(rows_.pixels * columns_.pixels * channels_), 0.0) {}

    /// Collective; in the first process.
    void compute(const Entered& entered) {
        if (layout_.group.amMember()) add(0, static_cast<const char*>(array_.array.data), 0);
        transport::combine(entered, apg(),
                           {reinterpret_cast<char*>(sums_.data()), sizeof(double), sums_.size()},
                           {[](void* left, const void* right, std::size_t bytes, const void*) {
                               auto* to = static_cast<double*>(left);
                               const auto* from = static_cast<const double*>(right);
                               for (std::size_t k = 0; k < bytes / sizeof *to; ++k)
                                   to[k] += from[k];
                           }});
        for (Index i = 0; i < rows_.pixels; ++i)
            for (Index j = 0; j < columns_.pixels; ++j)
                for (Index c = 0; c < channels_; ++c)
                    sums_[at(i, j, c)] /= static_cast<double>(copies() * rows_.locationsOf(i) *
                                                              columns_.locationsOf(j));
    }

    Picture picture(const Adlib::Colours& colours) const {
        Picture picture{rows_.pixels, columns_.pixels, static_cast<int>(channels_), {}, {}};
        double low = colours.low, high = colours.high;
        if (channels_ == 3) {
            low = 0;
            high = 255;
        } else {
            if (colours.map != "grey") picture.palette = colourMap(colours.map);
            if (!(low < high)) std::tie(low, high) = ends();
        }
        const double scale = high > low ? 255 / (high - low) : 0;
        for (const double mean : sums_) {
            const double value = (mean - low) * scale;  // NaN becomes the lowest
            picture.bytes.push_back(
                static_cast<std::uint8_t>(value > 0 ? std::lround(std::min(value, 255.0)) : 0));
        }
        return picture;
    }

private:
    std::size_t at(Index i, Index j, Index c) const {
        return static_cast<std::size_t>((i * columns_.pixels + j) * channels_ + c);
    }

    void add(int r, const char* element, std::size_t pixel) {
        if (r == layout_.rank) {
            sums_[pixel] += toDouble(element, array_.number);
            return;
        }
        const Index stride = layout_[r].stride * array_.number.bytes;
        for (const Block& block : layout_[r].range.localBlocks()) {
            if (r == 1 && channels_ == 1) {
                addColumns(block, element + block.localBase * stride, block.localStep * stride,
                           &sums_[pixel]);
                continue;
            }
            for (Index k = 0; k < block.count; ++k) {
                const Index g = block.globalBase + k * block.globalStep;
                const Index row = r == 0 ? rows_.pixelOf(g) : 0;
                const Index column = r == 1 ? columns_.pixelOf(g) : 0;
                add(r + 1, element + (block.localBase + k * block.localStep) * stride,
                    pixel + at(row, column, r == 2 ? g : 0));
            }
        }
    }

    /// The elements of a row that a block holds, `step` bytes apart, to the pixels of the row.
    void addColumns(const Block& block, const char* element, Index step, double* pixels) {
        withType(array_.number, [&](auto value) {
            const Index end = block.globalBase + block.count * block.globalStep;
            for (Index g = block.globalBase; g < end;) {
                double& pixel = pixels[columns_.pixelOf(g)];
                const Index next = std::min(end, columns_.firstOf(columns_.pixelOf(g) + 1));
                double sum = pixel;
                for (; g < next; g += block.globalStep, element += step) {
                    std::memcpy(&value, element, sizeof value);
                    sum += static_cast<double>(value);
                }
                pixel = sum;
            }
        });
    }

    /// How many processes have each element.
    Index copies() const {
        Index dealt = 1;
        for (const Map& map : layout_) dealt *= map.range.dim().size();
        return layout_.group.size() / dealt;
    }

    std::pair<double, double> ends() const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const double mean : sums_)
            if (std::isfinite(mean)) {
                low = std::min(low, mean);
                high = std::max(high, mean);
            }
        return {low, high};
    }

    const FileOperand& array_;
    const Descriptor& layout_;
    const Side rows_, columns_;
    const Index channels_;
    std::vector<double> sums_;
};

void requirePicture(const FileArray& array) {
    const std::size_t rank = array.shape.size();
    const bool hasRank = rank == 2 || (rank == 3 && array.shape[2] == 3);
    if (!hasRank)
        throw Failure(
            "a picture has 2 dimensions, or 3 of which the last has extent 3; the array is " +
            describe(array));
    if (array.number->kind == FileNumber::Complex) throw Failure("complex numbers have no colours");
    if (array.number->kind >= FileNumber::Opaque) throw Failure("objects have no colours");
    if (array.count() == 0) throw Failure("a picture has at least one pixel");
}

}  // namespace
}  // namespace files

using namespace files;

void writePicture(const std::string& file, const FileOperand& array, const Adlib::Colours& colours,
                  Where where) {
    const Call call{"write", where};
    requireContained(call, array.array);
    onFile(call, file, "write", [&] {
        const Encode encode = encoderOf(file);
        if (encode == nullptr)
            throw Failure("the end of its name tells no picture; known are .png, .gif, .ppm, .pgm");
        requirePicture(arrayOf(array));
        const Entered entry = entered(call, file, &array.array.layout);
        Means means(array);
        means.compute(entry);
        NewFile output(file);
        output.open(
            entry,
            [&](DiskFile& handle) {
                const bool isGrey = file.ends_with(".pgm");
                const std::string bytes = encode(means.picture(
                    isGrey ? Adlib::colours("grey", colours.low, colours.high) : colours));
                handle.write(bytes.data(), static_cast<Index>(bytes.size()), 0);
            },
            false);
        output.commit(entry, [](DiskFile&) {});
    });
}

}  // namespace hpspmd::detail
