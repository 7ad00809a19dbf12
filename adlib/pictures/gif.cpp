// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/disk_file.hpp"
#include "files/library.hpp"
#include "pictures/picture.hpp"

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#endif

namespace hpspmd::detail::files {

#ifdef GIFLIB_MAJOR
namespace {

struct Gif {
    Library library{"libgif.so.7", "libgif7"};
    decltype(&EGifOpen) open = library.function<decltype(EGifOpen)>("EGifOpen");
    decltype(&EGifPutScreenDesc) screen =
        library.function<decltype(EGifPutScreenDesc)>("EGifPutScreenDesc");
    decltype(&EGifPutImageDesc) image =
        library.function<decltype(EGifPutImageDesc)>("EGifPutImageDesc");
    decltype(&EGifPutLine) line = library.function<decltype(EGifPutLine)>("EGifPutLine");
    decltype(&EGifCloseFile) close = library.function<decltype(EGifCloseFile)>("EGifCloseFile");
    decltype(&GifMakeMapObject) makeMap =
        library.function<decltype(GifMakeMapObject)>("GifMakeMapObject");
    decltype(&GifFreeMapObject) freeMap =
        library.function<decltype(GifFreeMapObject)>("GifFreeMapObject");
};

const Gif& gif() {
    static const Gif instance;
    return instance;
}

int append(GifFileType* file, const GifByteType* bytes, int count) {
    static_cast<std::string*>(file->UserData)
        ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return count;
}

void require(int result) {
    if (result != GIF_OK) throw Failure("libgif cannot write it");
}

std::string encoded(const Picture& picture) {
    if (picture.channels != 1) throw Failure("a .gif has 256 colours: write a .png");
    if (picture.width > 65535 || picture.height > 65535) throw Failure("it is too large");
    std::string bytes;
    std::vector<GifColorType> colours(256);
    for (std::size_t k = 0; k < 256; ++k) {
        const auto level = static_cast<std::uint8_t>(k);
        const Colour c = picture.palette.empty() ? Colour{level, level, level} : picture.palette[k];
        colours[k] = {c[0], c[1], c[2]};
    }
    int error = 0;
    GifFileType* const file = gif().open(&bytes, append, &error);
    ColorMapObject* const map = gif().makeMap(256, colours.data());
    if (file == nullptr || map == nullptr) throw Failure("libgif has no memory");
    const auto width = static_cast<int>(picture.width), height = static_cast<int>(picture.height);
    int result = gif().screen(file, width, height, 8, 0, map);
    if (result == GIF_OK) result = gif().image(file, 0, 0, width, height, false, nullptr);
    std::vector<GifPixelType> row(static_cast<std::size_t>(width));
    for (int k = 0; k < height && result == GIF_OK; ++k) {
        const auto begin = picture.bytes.begin() + static_cast<Index>(k) * width;
        std::copy(begin, begin + width, row.begin());  // libgif may change it
        result = gif().line(file, row.data(), width);
    }
    gif().freeMap(map);
    const int closed = gif().close(file, &error);
    require(result);
    require(closed);
    return bytes;
}

}  // namespace
#endif

std::string encodeGif([[maybe_unused]] const Picture& picture) {
#ifdef GIFLIB_MAJOR
    return encoded(picture);
#else
    raiseBuiltWithout("libgif", "libgif-dev");
#endif
}

}  // namespace hpspmd::detail::files
