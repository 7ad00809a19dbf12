// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>

#include "files/disk_file.hpp"
#include "files/library.hpp"
#include "pictures/picture.hpp"

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#endif

namespace hpspmd::detail::files {

#ifdef GIFLIB_MAJOR
namespace {

struct GifEncoder {
    Library library{"libgif.so.7", "libgif7"};
    decltype(&EGifOpen) open = library.function<decltype(EGifOpen)>("EGifOpen");
    decltype(&EGifPutScreenDesc) screen =
        library.function<decltype(EGifPutScreenDesc)>("EGifPutScreenDesc");
    decltype(&EGifPutImageDesc) image =
        library.function<decltype(EGifPutImageDesc)>("EGifPutImageDesc");
    decltype(&EGifPutLine) line = library.function<decltype(EGifPutLine)>("EGifPutLine");
    decltype(&EGifCloseFile) close = library.function<decltype(EGifCloseFile)>("EGifCloseFile");
    decltype(&EGifSetGifVersion) version =
        library.function<decltype(EGifSetGifVersion)>("EGifSetGifVersion");
    decltype(&EGifPutExtensionLeader) extensionLeader =
        library.function<decltype(EGifPutExtensionLeader)>("EGifPutExtensionLeader");
    decltype(&EGifPutExtensionBlock) extensionBlock =
        library.function<decltype(EGifPutExtensionBlock)>("EGifPutExtensionBlock");
    decltype(&EGifPutExtensionTrailer) extensionTrailer =
        library.function<decltype(EGifPutExtensionTrailer)>("EGifPutExtensionTrailer");
    decltype(&GifMakeMapObject) makeMap =
        library.function<decltype(GifMakeMapObject)>("GifMakeMapObject");
    decltype(&GifFreeMapObject) freeMap =
        library.function<decltype(GifFreeMapObject)>("GifFreeMapObject");
};

const GifEncoder& gif() {
    static const GifEncoder instance;
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

/// The 256 colours of a picture.
class Map {
public:
    explicit Map(const Picture& picture) {
        std::vector<GifColorType> colours(256);
        for (std::size_t k = 0; k < 256; ++k) {
            const auto level = static_cast<std::uint8_t>(k);
            const Colour c = picture.palette.empty()      ? Colour{level, level, level}
                             : k < picture.palette.size() ? picture.palette[k]
                                                          : Colour{};
            colours[k] = {c[0], c[1], c[2]};
        }
        map_ = gif().makeMap(256, colours.data());
        if (map_ == nullptr) throw Failure("libgif has no memory");
    }
    ~Map() { gif().freeMap(map_); }
    Map(const Map&) = delete;
    Map& operator=(const Map&) = delete;

    operator ColorMapObject*() const { return map_; }

private:
    ColorMapObject* map_;
};

/// A file in memory.
class Gif89 {
public:
    Gif89() {
        int error = 0;
        file_ = gif().open(&bytes_, append, &error);
        if (file_ == nullptr) throw Failure("libgif has no memory");
    }
    ~Gif89() { closed(); }
    Gif89(const Gif89&) = delete;
    Gif89& operator=(const Gif89&) = delete;

    void begin(const Picture& picture, ColorMapObject* map) {
        if (picture.width > 65535 || picture.height > 65535) throw Failure("it is too large");
        require(gif().screen(file_, static_cast<int>(picture.width),
                             static_cast<int>(picture.height), 8, 0, map));
    }
    void add(const Picture& picture, ColorMapObject* map) {
        const auto width = static_cast<int>(picture.width);
        require(gif().image(file_, 0, 0, width, static_cast<int>(picture.height), false, map));
        std::vector<GifPixelType> row(static_cast<std::size_t>(width));
        for (Index k = 0; k < picture.height; ++k) {
            const auto begin = picture.bytes.begin() + k * width;
            std::copy(begin, begin + width, row.begin());  // libgif may change it
            require(gif().line(file_, row.data(), width));
        }
    }
    GifFileType* file() const { return file_; }
    std::string finished() {
        require(closed());
        return std::move(bytes_);
    }

private:
    int closed() {
        int error = 0;
        return file_ == nullptr ? GIF_OK : gif().close(std::exchange(file_, nullptr), &error);
    }

    std::string bytes_;
    GifFileType* file_;
};

void extend(GifFileType* file, int code, const std::vector<std::string>& blocks) {
    require(gif().extensionLeader(file, code));
    for (const std::string& block : blocks)
        require(gif().extensionBlock(file, static_cast<int>(block.size()), block.data()));
    require(gif().extensionTrailer(file));
}

/// The next picture is shown for so many hundredths of a second.
void wait(GifFileType* file, int hundredths) {
    const std::string block = {0, static_cast<char>(hundredths & 255),
                               static_cast<char>(hundredths >> 8), 0};
    extend(file, GRAPHICS_EXT_FUNC_CODE, {block});
}

std::string encoded(const Picture& picture) {
    if (picture.channels != 1) throw Failure("a .gif has 256 colours: write a .png");
    Gif89 file;
    file.begin(picture, Map(picture));
    file.add(picture, nullptr);
    return file.finished();
}

std::string joined(const std::function<bool(Picture&)>& next, int hundredths) {
    Gif89 file;
    gif().version(file.file(), true);
    bool isBegun = false;
    for (Picture picture; next(picture); isBegun = true) {
        if (!isBegun) {
            file.begin(picture, nullptr);
            extend(file.file(), APPLICATION_EXT_FUNC_CODE,
                   {"NETSCAPE2.0", std::string("\1\0\0", 3)});  // again and again
        }
        wait(file.file(), hundredths);
        file.add(picture, Map(picture));
    }
    return file.finished();
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

std::string encodeMovie([[maybe_unused]] const std::function<bool(Picture&)>& next,
                        [[maybe_unused]] int hundredths) {
#ifdef GIFLIB_MAJOR
    return joined(next, hundredths);
#else
    raiseBuiltWithout("libgif", "libgif-dev");
#endif
}

}  // namespace hpspmd::detail::files
