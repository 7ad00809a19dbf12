// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cctype>

#include "files/disk_file.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail::files {
namespace {

/// Numbers and bytes of a file P2, P3 (as text), P5 or P6.
class Reader {
public:
    explicit Reader(const std::string& text) : text_(text), at_(2) {}

    Index number(Index most) {
        skipSpace();
        Index value = 0;
        const std::size_t begin = at_;
        for (; at_ < text_.size() && std::isdigit(byte(at_)); ++at_) {
            value = 10 * value + byte(at_) - '0';
            if (value > most) throw Failure("a number in it is too large");
        }
        if (at_ == begin) throw Failure("it is truncated, or no picture");
        return value;
    }

    /// The first byte behind the header.
    void beginBytes() { ++at_; }
    Index value(bool isWide) {
        const std::size_t bytes = isWide ? 2 : 1;
        if (at_ + bytes > text_.size()) throw Failure("it is truncated");
        const Index result = isWide ? 256 * byte(at_) + byte(at_ + 1) : byte(at_);
        at_ += bytes;
        return result;
    }

private:
    int byte(std::size_t at) const { return static_cast<unsigned char>(text_[at]); }
    void skipSpace() {
        while (at_ < text_.size() && (std::isspace(byte(at_)) || text_[at_] == '#')) {
            if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
            ++at_;
        }
    }

    const std::string& text_;
    std::size_t at_;
};

}  // namespace

std::string encodeNetpbm(const Picture& picture, bool isGrey) {
    std::string text = (isGrey ? "P5\n" : "P6\n") + std::to_string(picture.width) + " " +
                       std::to_string(picture.height) + "\n255\n";
    if (isGrey && picture.channels != 1) throw Failure("a .pgm has one channel: write a .ppm");
    for (const std::uint8_t value : picture.bytes) {
        if (isGrey || picture.channels == 3) {
            text += static_cast<char>(value);
            continue;
        }
        for (std::size_t c = 0; c < 3; ++c)
            text += static_cast<char>(picture.palette.empty() ? value : picture.palette[value][c]);
    }
    return text;
}

Picture decodeNetpbm(const std::string& bytes) {
    const char kind = bytes.size() > 2 && bytes[0] == 'P' ? bytes[1] : '0';
    if (std::string("2356").find(kind) == std::string::npos)
        throw Failure("it is no picture P2, P3, P5 or P6");
    Reader reader(bytes);
    Picture picture;
    picture.channels = kind == '3' || kind == '6' ? 3 : 1;
    picture.width = reader.number(mostPixels);
    picture.height = reader.number(mostPixels);
    const Index brightest = reader.number(65535);
    if (picture.width == 0 || picture.height == 0 || brightest == 0)
        throw Failure("it has no pixels");
    if (picture.height > mostPixels / picture.width) throw Failure("it has too many pixels");
    const bool isText = kind < '4';
    const Index count = picture.width * picture.height * picture.channels;
    const auto least = static_cast<std::size_t>(isText ? 2 * count - 1 : count);
    if (bytes.size() < least) throw Failure("it is truncated");  // before memory is taken
    picture.bytes.resize(static_cast<std::size_t>(count));
    if (!isText) reader.beginBytes();
    for (std::uint8_t& each : picture.bytes) {
        const Index value = isText ? reader.number(brightest) : reader.value(brightest > 255);
        if (value > brightest) throw Failure("a value in it is too large");
        each = static_cast<std::uint8_t>((510 * value + brightest) / (2 * brightest));
    }
    return picture;
}

}  // namespace hpspmd::detail::files
