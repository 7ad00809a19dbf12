// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "files/format.hpp"
#include "files/values.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail::files {
namespace {

std::string bytesOf(DiskFile& file) {
    constexpr Index longest = Index{1} << 31;
    const Index size = file.size();
    if (size > longest) throw Failure("it is larger than 2 GiB");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.read(bytes.data(), size, 0);
    return bytes;
}

/// The luminance of a coloured pixel (ITU-R BT.601).
double greyOf(const std::uint8_t* rgb) {
    return std::round(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]);
}

/// Gives the pixels of a picture, one number for each or three.
class Reader final : public Stream {
public:
    Reader(Picture picture, const FileArray& array)
        : picture_(std::move(picture)),
          number_(*array.number),
          hasColours_(array.shape.size() == 3) {}

    void pass(char* elements, Index count) override {
        for (Index k = 0; k < count; ++k, ++next_)
            fromDouble(valueOf(next_), elements + k * number_.bytes, number_);
    }

private:
    double valueOf(Index k) const {
        const bool isGrey = picture_.channels == 1;
        if (hasColours_) return picture_.bytes[static_cast<std::size_t>(isGrey ? k / 3 : k)];
        const std::uint8_t* const pixel =
            &picture_.bytes[static_cast<std::size_t>(isGrey ? k : 3 * k)];
        return isGrey ? *pixel : greyOf(pixel);
    }

    Picture picture_;
    FileNumber number_;
    bool hasColours_;
    Index next_ = 0;
};

/// Values 0 to 255, read into arrays of any real numbers of 2 dimensions, or of 3 with colours.
class PictureFormat final : public FileFormat {
public:
    using Decode = Picture (*)(const std::string& bytes);
    explicit PictureFormat(Decode decode) : decode_(decode) {}

    bool isPlaced() const override { return false; }

    FileArray look(DiskFile& file, const FileArray* wanted) const override {
        const Picture picture = decode_(bytesOf(file));
        const bool isWantedGrey = wanted != nullptr && wanted->shape.size() == 2;
        const bool isWantedColoured = wanted != nullptr && wanted->shape.size() == 3;
        if (wanted != nullptr && wanted->number->kind == FileNumber::Complex)
            throw Failure("a picture has no complex numbers");
        FileArray array;
        array.shape = {picture.height, picture.width};
        if (isWantedColoured || (picture.channels == 3 && !isWantedGrey)) array.shape.push_back(3);
        return array;
    }

    std::unique_ptr<Stream> reader(DiskFile& file, const FileArray& array) const override {
        return std::make_unique<Reader>(decode_(bytesOf(file)), array);
    }

private:
    Decode decode_;
};

struct Encoder {
    const char* ending;
    Encode encode;
};

constexpr Encoder encoders[] = {
    {".png", encodePng},
    {".gif", encodeGif},
    {".ppm", [](const Picture& picture) { return encodeNetpbm(picture, false); }},
    {".pgm", [](const Picture& picture) { return encodeNetpbm(picture, true); }}};

}  // namespace

const FileFormat& pngFormat() {
    static const PictureFormat format(decodePng);
    return format;
}
const FileFormat& netpbmFormat() {
    static const PictureFormat format(decodeNetpbm);
    return format;
}
const FileFormat& gifFormat() {
    static const PictureFormat format(decodeGif);
    return format;
}

Encode encoderOf(const std::string& file) {
    for (const Encoder& each : encoders)
        if (file.ends_with(each.ending)) return each.encode;
    return nullptr;
}

}  // namespace hpspmd::detail::files
