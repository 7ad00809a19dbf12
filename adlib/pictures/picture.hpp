// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/pictures.hpp>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hpspmd::detail::files {

using Colour = std::array<std::uint8_t, 3>;

/// Bytes row by row from the top: one for each pixel, or red, green and blue.
struct Picture {
    Index height = 0, width = 0;
    int channels = 1;
    std::vector<std::uint8_t> bytes;
    std::vector<Colour> palette;  ///< what the 256 values of a channel mean; empty: grey
};

constexpr Index mostPixels = Index{1} << 28;  ///< of a picture that is read

/// The 256 colours of a map; Failure for an unknown name.
std::vector<Colour> colourMap(const std::string& name);

// The formats: a picture as the bytes of a file, and back. What fails throws Failure.
std::string encodePng(const Picture& picture);
std::string encodeGif(const Picture& picture);
/// A .gif of pictures of one size, each shown for so many hundredths of a second; next(picture) is
/// false when there are no more.
std::string encodeMovie(const std::function<bool(Picture&)>& next, int hundredths);
std::string encodeNetpbm(const Picture& picture, bool isGrey);
Picture decodePng(const std::string& bytes);
/// The first of its pictures.
Picture decodeGif(const std::string& bytes);
Picture decodeNetpbm(const std::string& bytes);

/// All bytes of a file; and new ones in place of an old file, at once.
std::string contentOf(const std::string& path);
void replaceFile(const std::string& path, const std::string& bytes);

/// The format that the end of a file's name tells; null if it is none of a picture.
using Encode = std::string (*)(const Picture&);
Encode encoderOf(const std::string& file);

}  // namespace hpspmd::detail::files
