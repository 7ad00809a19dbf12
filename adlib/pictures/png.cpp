// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/disk_file.hpp"
#include "files/library.hpp"
#include "pictures/picture.hpp"

#if __has_include(<png.h>)
#include <png.h>
#endif

namespace hpspmd::detail::files {

#ifdef PNG_LIBPNG_VER_STRING
namespace {

/// libpng's simple interface.
struct Png {
    Library library{"libpng16.so.16", "libpng16-16"};
    decltype(&png_image_begin_read_from_memory) begin =
        library.function<decltype(png_image_begin_read_from_memory)>(
            "png_image_begin_read_from_memory");
    decltype(&png_image_finish_read) finish =
        library.function<decltype(png_image_finish_read)>("png_image_finish_read");
    decltype(&png_image_write_to_memory) write =
        library.function<decltype(png_image_write_to_memory)>("png_image_write_to_memory");
    decltype(&png_image_free) free = library.function<decltype(png_image_free)>("png_image_free");
};

const Png& png() {
    static const Png instance;
    return instance;
}

/// What libpng knows of a picture, until it has told.
class Image {
public:
    Image() { image.version = PNG_IMAGE_VERSION; }
    ~Image() { png().free(&image); }
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    void require(int isGood) const {
        if (!isGood) throw Failure(image.message);
    }

    png_image image{};
};

std::string encoded(const Picture& picture) {
    Image file;
    file.image.width = static_cast<png_uint_32>(picture.width);
    file.image.height = static_cast<png_uint_32>(picture.height);
    const bool hasPalette = picture.channels == 1 && !picture.palette.empty();
    file.image.format = picture.channels == 3 ? PNG_FORMAT_RGB
                        : hasPalette          ? PNG_FORMAT_RGB_COLORMAP
                                              : PNG_FORMAT_GRAY;
    file.image.colormap_entries = hasPalette ? 256 : 0;
    const void* const palette = hasPalette ? picture.palette.data() : nullptr;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(file.image);
    std::string bytes(size, '\0');
    file.require(
        png().write(&file.image, bytes.data(), &size, 0, picture.bytes.data(), 0, palette));
    bytes.resize(size);
    return bytes;
}

Picture decoded(const std::string& bytes) {
    Image file;
    file.require(png().begin(&file.image, bytes.data(), bytes.size()));
    Picture picture;
    picture.width = file.image.width;
    picture.height = file.image.height;
    // A byte of a .png makes at most a thousand pixels, so the size is no surprise.
    if (picture.height > mostPixels / picture.width ||
        picture.height * picture.width / 10000 > static_cast<Index>(bytes.size()))
        throw Failure("it has too many pixels");
    picture.channels = (file.image.format & PNG_FORMAT_FLAG_COLOR) != 0 ? 3 : 1;
    file.image.format = picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    picture.bytes.resize(PNG_IMAGE_SIZE(file.image));
    const png_color black{0, 0, 0};  // behind what is transparent
    file.require(png().finish(&file.image, &black, picture.bytes.data(), 0, nullptr));
    return picture;
}

}  // namespace
#endif

std::string encodePng([[maybe_unused]] const Picture& picture) {
#ifdef PNG_LIBPNG_VER_STRING
    return encoded(picture);
#else
    raiseBuiltWithout("libpng", "libpng-dev");
#endif
}

Picture decodePng([[maybe_unused]] const std::string& bytes) {
#ifdef PNG_LIBPNG_VER_STRING
    return decoded(bytes);
#else
    raiseBuiltWithout("libpng", "libpng-dev");
#endif
}

}  // namespace hpspmd::detail::files
