// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <functional>

#include "files/disk_file.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::detail::files {
namespace {

using Rgb = std::array<double, 3>;

/// A polynomial for each channel, by its coefficients from that of x^0 on.
template <std::size_t n>
Rgb polynomial(const std::array<Rgb, n>& coefficients, double x) {
    Rgb sum{};
    for (std::size_t k = n; k-- > 0;)
        for (std::size_t c = 0; c < 3; ++c) sum[c] = sum[c] * x + coefficients[k][c];
    return sum;
}

// The maps of matplotlib, within 2 percent (M. Zucker's fit).
Rgb viridis(double x) {
    return polynomial<7>({{{0.27773, 0.00541, 0.33410},
                           {0.10509, 1.40461, 1.38459},
                           {-0.33086, 0.21485, 0.09510},
                           {-4.63423, -5.79910, -19.33244},
                           {6.22827, 14.17993, 56.69055},
                           {4.77638, -13.74515, -65.35303},
                           {-5.43546, 4.64585, 26.31244}}},
                         x);
}
Rgb magma(double x) {
    return polynomial<7>({{{-0.00214, -0.00075, -0.00539},
                           {0.25166, 0.67752, 2.49403},
                           {8.35372, -3.57772, 0.31447},
                           {-27.66873, 14.26473, -13.64921},
                           {52.17614, -27.94361, 12.94417},
                           {-50.76853, 29.04658, 4.23415},
                           {18.65571, -11.48977, -5.60196}}},
                         x);
}
// Google's (A. Mikhailov).
Rgb turbo(double x) {
    return polynomial<6>({{{0.13572, 0.09140, 0.10667},
                           {4.61539, 2.19419, 12.64195},
                           {-42.66032, 4.84297, -60.58205},
                           {132.13108, -14.18503, 110.36277},
                           {-152.94239, 4.27730, -89.90311},
                           {59.28638, 2.82957, 27.34825}}},
                         x);
}
Rgb coolwarm(double x) {
    const Rgb cold{0.230, 0.299, 0.754}, middle{0.865, 0.865, 0.865}, warm{0.706, 0.016, 0.150};
    const double t = std::abs(2 * x - 1);
    Rgb mixed;
    for (std::size_t c = 0; c < 3; ++c)
        mixed[c] = middle[c] + t * ((x < 0.5 ? cold : warm)[c] - middle[c]);
    return mixed;
}
// Black over red and yellow to white.
Rgb hot(double x) { return {3 * x, 3 * x - 1, 3 * x - 2}; }
Rgb grey(double x) { return {x, x, x}; }

struct Map {
    const char* name;
    Rgb (*colour)(double);
};

constexpr Map maps[] = {{"viridis", viridis},   {"magma", magma}, {"turbo", turbo},
                        {"coolwarm", coolwarm}, {"hot", hot},     {"grey", grey}};

}  // namespace

std::vector<Colour> colourMap(const std::string& name) {
    const auto map =
        std::ranges::find(maps, name, [](const Map& each) { return std::string(each.name); });
    if (map == std::end(maps)) {
        std::string known;
        for (const Map& each : maps) known += (known.empty() ? "" : ", ") + std::string(each.name);
        throw Failure("there is no colour map '" + name + "'; known are " + known);
    }
    std::vector<Colour> colours(256);
    for (std::size_t k = 0; k < 256; ++k) {
        const Rgb rgb = map->colour(static_cast<double>(k) / 255);
        for (std::size_t c = 0; c < 3; ++c)
            colours[k][c] =
                static_cast<std::uint8_t>(std::lround(255 * std::clamp(rgb[c], 0.0, 1.0)));
    }
    return colours;
}

}  // namespace hpspmd::detail::files
