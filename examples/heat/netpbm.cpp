#include <cctype>
#include <fstream>
#include <stdexcept>

#include "picture.hpp"

namespace {

constexpr long largestExtent = 1 << 16;

/// Reads the parts of a NetPBM file in their order.
class Reader {
public:
    explicit Reader(const std::string& file) : file_(file), stream_(file, std::ios::binary) {
        if (!stream_) fail("cannot be read");
    }

    Picture read() {
        char letter = 0, kind = 0;
        stream_.get(letter).get(kind);
        const bool known =
            letter == 'P' && (kind == '2' || kind == '3' || kind == '5' || kind == '6');
        if (!known) fail("is no NetPBM picture of kind P2, P3, P5 or P6");
        isText_ = kind < '4';
        const long channels = kind == '3' || kind == '6' ? 3 : 1;
        Picture picture{0, 0, {}};
        picture.width = number("width", largestExtent);
        picture.height = number("height", largestExtent);
        largest_ = number("largest value", 65535);
        if (!isText_) stream_.get();  // the one blank before the bytes
        picture.levels.resize(picture.height * picture.width);
        for (uint8_t& level : picture.levels) level = channels == 1 ? sample() : luminance();
        return picture;
    }

private:
    [[noreturn]] void fail(const std::string& reason) const {
        throw std::runtime_error("picture '" + file_ + "' " + reason);
    }

    void skipBlanksAndComments() {
        while (stream_ && (std::isspace(stream_.peek()) || stream_.peek() == '#')) {
            if (stream_.get() == '#') {
                while (stream_ && stream_.peek() != '\n') stream_.get();
            }
        }
    }

    long number(const char* what, long largest) {
        skipBlanksAndComments();
        long value = 0;
        if (!(stream_ >> value)) fail(std::string("is cut short: no ") + what);
        if (value < 1 || value > largest) fail(std::string("has an impossible ") + what);
        return value;
    }

    uint8_t sample() {
        long value = 0;
        if (isText_) {
            skipBlanksAndComments();
            stream_ >> value;
        } else {
            value = stream_.get();
            if (largest_ > 255) value = value * 256 + stream_.get();
        }
        if (!stream_) fail("is cut short");
        if (value < 0 || value > largest_) fail("has a value beyond its largest");
        return static_cast<uint8_t>(value * 255 / largest_);
    }

    uint8_t luminance() {
        const double red = sample(), green = sample(), blue = sample();
        return static_cast<uint8_t>(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.5);
    }

    std::string file_;
    std::ifstream stream_;
    bool isText_ = false;
    long largest_ = 255;
};

}  // namespace

Picture readNetpbm(const std::string& file) { return Reader(file).read(); }
