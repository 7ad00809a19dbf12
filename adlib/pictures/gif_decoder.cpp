// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <string_view>

#include "files/disk_file.hpp"
#include "files/library.hpp"
#include "pictures/picture.hpp"

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#endif

namespace hpspmd::detail::files {

#ifdef GIFLIB_MAJOR
namespace {

struct GifDecoder {
    Library library{"libgif.so.7", "libgif7"};
    decltype(&DGifOpen) open = library.function<decltype(DGifOpen)>("DGifOpen");
    decltype(&DGifGetRecordType) record =
        library.function<decltype(DGifGetRecordType)>("DGifGetRecordType");
    decltype(&DGifGetExtension) extension =
        library.function<decltype(DGifGetExtension)>("DGifGetExtension");
    decltype(&DGifGetExtensionNext) nextExtension =
        library.function<decltype(DGifGetExtensionNext)>("DGifGetExtensionNext");
    decltype(&DGifGetImageDesc) image =
        library.function<decltype(DGifGetImageDesc)>("DGifGetImageDesc");
    decltype(&DGifGetLine) line = library.function<decltype(DGifGetLine)>("DGifGetLine");
    decltype(&DGifCloseFile) close = library.function<decltype(DGifCloseFile)>("DGifCloseFile");
};

const GifDecoder& gif() {
    static const GifDecoder instance;
    return instance;
}

void require(int result) {
    if (result != GIF_OK) throw Failure("it is no .gif file, is damaged, or is truncated");
}

/// A file in memory, of which the first picture is read.
class Decoder {
public:
    explicit Decoder(const std::string& bytes) : rest_(bytes) {
        int error = 0;
        file_ = gif().open(&rest_, take, &error);
        require(file_ == nullptr ? GIF_ERROR : GIF_OK);
    }
    ~Decoder() {
        int error = 0;
        gif().close(file_, &error);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    Picture picture() {
        // A byte of a .gif makes at most some thousand pixels, so the size is no surprise.
        const Index width = file_->SWidth, height = file_->SHeight;
        if (width <= 0 || height <= 0) throw Failure("it has no pixels");
        if (height > mostPixels / width ||
            height * width / 10000 > static_cast<Index>(rest_.size()) + 1)
            throw Failure("it has too many pixels");
        goToImage();
        const GifImageDesc& image = file_->Image;
        if (image.Left < 0 || image.Top < 0 || image.Width <= 0 || image.Height <= 0 ||
            image.Left + image.Width > width || image.Top + image.Height > height)
            throw Failure("its picture does not lie within its screen");
        readColours(image.ColorMap != nullptr ? image.ColorMap : file_->SColorMap);
        Picture picture{height, width, isGrey() ? 1 : 3, {}, {}};
        picture.bytes.resize(static_cast<std::size_t>(height * width * picture.channels));
        if (!image.Interlace) readRows(picture, 0, 1);
        constexpr int passes[][2] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};  // first row, step
        for (const auto& [first, step] : passes)
            if (image.Interlace) readRows(picture, first, step);
        return picture;
    }

private:
    static int take(GifFileType* file, GifByteType* bytes, int count) {
        auto& rest = *static_cast<std::string_view*>(file->UserData);
        const auto taken = std::min(rest.size(), static_cast<std::size_t>(count));
        if (taken > 0) std::memcpy(bytes, rest.data(), taken);
        rest.remove_prefix(taken);
        return static_cast<int>(taken);
    }

    /// Goes over what stands before the first picture; takes from it which colour is transparent.
    void goToImage() {
        GifRecordType record;
        for (require(gif().record(file_, &record)); record != IMAGE_DESC_RECORD_TYPE;
             require(gif().record(file_, &record))) {
            if (record != EXTENSION_RECORD_TYPE) throw Failure("it has no picture");
            int code = 0;
            GifByteType* block = nullptr;
            require(gif().extension(file_, &code, &block));
            if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr && block[0] == 4)
                transparent_ = (block[1] & 1) != 0 ? block[4] : -1;
            while (block != nullptr) require(gif().nextExtension(file_, &block));
        }
        require(gif().image(file_));
    }

    /// Black is behind what is transparent, and behind colours that the file does not have.
    void readColours(const ColorMapObject* map) {
        if (map == nullptr) throw Failure("it has no colours");
        colours_.assign(256, Colour{});
        for (int k = 0; k < std::min(map->ColorCount, 256); ++k)
            if (k != transparent_)
                colours_[static_cast<std::size_t>(k)] = {map->Colors[k].Red, map->Colors[k].Green,
                                                         map->Colors[k].Blue};
    }
    bool isGrey() const {
        return std::ranges::all_of(colours_,
                                   [](const Colour& c) { return c[0] == c[1] && c[1] == c[2]; });
    }

    void readRows(Picture& picture, int first, int step) {
        const GifImageDesc& image = file_->Image;
        std::vector<GifPixelType> row(static_cast<std::size_t>(image.Width));
        for (int k = first; k < image.Height; k += step) {
            require(gif().line(file_, row.data(), image.Width));
            const Index at = (image.Top + k) * picture.width + image.Left;
            std::uint8_t* to = &picture.bytes[static_cast<std::size_t>(at * picture.channels)];
            for (const GifPixelType pixel : row) {
                std::copy_n(colours_[pixel].begin(), picture.channels, to);
                to += picture.channels;
            }
        }
    }

    std::string_view rest_;
    GifFileType* file_;
    int transparent_ = -1;
    std::vector<Colour> colours_;
};

}  // namespace
#endif

Picture decodeGif([[maybe_unused]] const std::string& bytes) {
#ifdef GIFLIB_MAJOR
    return Decoder(bytes).picture();
#else
    raiseBuiltWithout("libgif", "libgif-dev");
#endif
}

}  // namespace hpspmd::detail::files
