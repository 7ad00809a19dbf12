#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include <png.h>

#include "picture.hpp"

namespace {

using Colour = std::array<double, 3>;

/// The colours of glowing iron at 0, 20, .. 100 degrees; between them, linear.
constexpr Colour glow[] = {{0, 0, 10},    {60, 10, 100},  {170, 20, 90},
                           {235, 80, 30}, {250, 180, 40}, {255, 255, 220}};
constexpr int lastColour = 5;

void paint(double temperature, uint8_t* pixel) {
    const double place = std::clamp(temperature / 100, 0.0, 1.0) * lastColour;
    const int below = std::min(static_cast<int>(place), lastColour - 1);
    for (int channel = 0; channel < 3; ++channel) {
        const double low = glow[below][channel], high = glow[below + 1][channel];
        pixel[channel] = static_cast<uint8_t>(low + (place - below) * (high - low) + 0.5);
    }
}

}  // namespace

void writeHeatPng(const std::string& file, long height, long width,
                  const std::vector<double>& temperatures) {
    std::vector<uint8_t> pixels(3 * temperatures.size());
    for (size_t k = 0; k < temperatures.size(); ++k) paint(temperatures[k], &pixels[3 * k]);
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    if (!png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr)) {
        throw std::runtime_error("cannot write '" + file + "': " + image.message);
    }
}
