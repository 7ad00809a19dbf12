// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pictures: generated arrays against pixels that are computed one by one; what is read back; bad
/// files.

#include <algorithm>
#include <cmath>
#include <hpspmd/plain.hpp>
#include <random>

#include "cases.hpp"
#include "files/disk_file.hpp"
#include "files_folder.hpp"
#include "generated.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::test {
namespace {

using detail::files::Picture;
using Pictures = Files;

double valueAt(Index i, Index j) {
    return std::sin(static_cast<double>(i * 37 + j * 11)) * 50 + 20;
}

/// The grey level of the mean of the elements of a pixel, as a loop over all of them finds it.
std::uint8_t levelOf(Index rows, Index columns, Index i, Index j, double low, double high) {
    const Index height = std::min<Index>(rows, 2048), width = std::min<Index>(columns, 2048);
    double sum = 0;
    Index count = 0;
    for (Index g = i * rows / height; g < rows && g * height / rows <= i; ++g)
        for (Index k = j * columns / width; k < columns && k * width / columns <= j; ++k)
            if (g * height / rows == i && k * width / columns == j) {
                sum += valueAt(g, k);
                ++count;
            }
    const double value = (sum / static_cast<double>(count) - low) / (high - low) * 255;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

template <class A>
const A& filledWithValues(const A& a) {
    for (auto i : overall(a.rng(0)))
        for (auto j : overall(a.rng(1)))
            a(i, j) = static_cast<typename A::Element>(valueAt(i.global, j.global));
    return a;
}

TEST_F(Pictures, OfAnyDistributionAndSize) {
    const Procs2 p;
    const detail::On on(p);
    const Index shapes[][2] = {{1, 1}, {5, 9}, {40, 31}, {2048, 2}, {5000, 3}, {4, 4097}};
    for (const auto& [rows, columns] : shapes) {
        const auto blocks = filledWithValues(
            create<double>(p, ExtBlockRange(rows, p.dim(0), 1, 1), CyclicRange(columns, p.dim(1))));
        const auto some = filledWithValues(
            create<double>(p, BlockCyclicRange(rows, p.dim(1), 3), CollapsedRange(columns)));
        for (const auto& a : {Array<double, Dist, Dist>(blocks), Array<double, Dist, Dist>(some)}) {
            Adlib::write(path("a.pgm"), a, Adlib::colours("grey", -40, 60));
            const Picture found = detail::files::decodeNetpbm(contents("a.pgm"));
            ASSERT_EQ(found.height, std::min<Index>(rows, 2048));
            ASSERT_EQ(found.width, std::min<Index>(columns, 2048));
            int different = 0;
            for (Index i = 0; i < found.height; ++i)
                for (Index j = 0; j < found.width; ++j) {
                    const int level = found.bytes[static_cast<std::size_t>(i * found.width + j)];
                    // The order of a sum may decide at a half.
                    different += std::abs(level - levelOf(rows, columns, i, j, -40, 60)) >
                                 (rows > 2048 || columns > 2048);
                }
            EXPECT_EQ(different, 0) << rows << " x " << columns;
            Adlib::sum(0.0);
        }
    }
}

TEST_F(Pictures, AreReadBack) {
    const Procs2 p;
    const detail::On on(p);
    const auto a = create<unsigned char>(p, BlockRange(20, p.dim(0)), BlockRange(30, p.dim(1)));
    const auto level = [](Index i, Index j) { return static_cast<unsigned char>(i * 30 + j); };
    for (auto i : overall(a.rng(0)))
        for (auto j : overall(a.rng(1))) a(i, j) = level(i.global, j.global);
    const auto back = create<float>(p, CyclicRange(20, p.dim(1)), 30);
    const auto rgb = create<int>(p, 20, BlockRange(30, p.dim(0)), 3);
    for (const char* name : {"grey.png", "grey.pgm", "grey.ppm", "grey.gif"}) {
        Adlib::write(path(name), a, Adlib::colours("grey", 0, 255));
        const auto info = Adlib::look(path(name));
        EXPECT_EQ(info.shape[0], 20);
        EXPECT_EQ(info.type, "");
        Adlib::read(back, path(name));
        for (auto i : overall(back.rng(0)))
            for (Index j = 0; j < 30; ++j) EXPECT_EQ(back(i, j), level(i.global, j));
        Adlib::read(rgb, path(name));
        for (Index i = 0; i < 20; ++i)
            for (auto j : overall(rgb.rng(1)))
                for (Index c = 0; c < 3; ++c)
                    rgb(i, j, c) = (rgb(i, j, c) + 85 * static_cast<int>(c)) % 256;
        for (const char* colour : {"rgb.png", "rgb.ppm"}) {
            Adlib::write(path(colour), rgb);
            EXPECT_EQ(Adlib::look(path(colour)).shape, (std::vector<Index>{20, 30, 3}));
            const auto again = create<int>(p, BlockRange(20, p.dim(1)), 30, 3);
            Adlib::read(again, path(colour));
            for (auto i : overall(again.rng(0)))
                for (Index j = 0; j < 30; ++j)
                    for (Index c = 0; c < 3; ++c)
                        EXPECT_EQ(again(i, j, c), (level(i.global, j) + 85 * c) % 256);
        }
    }
    Adlib::write(path("a.gif"), a);
    Adlib::write(path("a.png"), a);
    EXPECT_EQ(contents("a.gif").substr(0, 3), "GIF");
    EXPECT_EQ(Adlib::look(path("a.gif")).shape, (std::vector<Index>{20, 30, 3}));  // viridis
    const auto gif = detail::files::decodeGif(contents("a.gif"));
    EXPECT_EQ(gif.bytes, detail::files::decodePng(contents("a.png")).bytes);
}

// 4 colours: black, red, green, blue. Of a screen of 4 x 3 the picture covers columns 1 to 3 of all
// rows, in the order of interlaced rows, 0, 2, 1; green is transparent. Codes of 3 bits, from 4 on:
// clear, the pixels 1 2 3, clear, 3 3 3 .., so that none grows longer.
TEST(Decoders, AGifByAnotherProgram) {
    const auto bytes = [](std::initializer_list<int> all) {
        std::string text;
        for (const int each : all) text += static_cast<char>(each);
        return text;
    };
    const auto codes = [](const std::vector<int>& all) {
        std::string text;
        unsigned bits = 0, count = 0;
        for (const int code : all) {
            bits |= static_cast<unsigned>(code) << count;
            for (count += 3; count >= 8; count -= 8, bits >>= 8) text += static_cast<char>(bits);
        }
        return text + static_cast<char>(bits);
    };
    constexpr int clear = 4, end = 5;
    const auto file = [&](int flags, const std::vector<int>& all) {
        const std::string data = codes(all);
        return "GIF89a" + bytes({4, 0, 3, 0, 0x91, 0, 0}) +
               bytes({0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255}) +
               bytes({0x21, 0xf9, 4, 1, 0, 0, 2, 0}) +
               bytes({0x2c, 1, 0, 0, 0, 3, 0, 3, 0, flags}) +
               bytes({2, static_cast<int>(data.size())}) + data + bytes({0, 0x3b});
    };
    const std::vector<int> pixels = {clear, 1,     2, clear, 3,     3, clear, 3,
                                     3,     clear, 1, 0,     clear, 1, end};
    const auto rows = [&](int flags) {
        const Picture found = detail::files::decodeGif(file(flags, pixels));
        EXPECT_EQ(found.width, 4);
        EXPECT_EQ(found.height, 3);
        EXPECT_EQ(found.channels, 3);
        std::string text;
        for (std::size_t k = 0; k < found.bytes.size(); k += 3)
            text += found.bytes[k]       ? 'r'
                    : found.bytes[k + 1] ? 'g'
                    : found.bytes[k + 2] ? 'b'
                                         : '.';
        return text;
    };
    EXPECT_EQ(rows(0), ".r.b.bbb.r.r");
    EXPECT_EQ(rows(0x40), ".r.b.r.r.bbb");
    const auto told = [&](std::string text) {
        try {
            detail::files::decodeGif(text);
        } catch (const detail::files::Failure& failure) {
            return std::string(failure.what());
        }
        return std::string("no error");
    };
    const std::string whole = file(0, pixels);
    EXPECT_EQ(told(whole), "no error");
    for (std::size_t k = 0; k + 5 < whole.size(); ++k)
        EXPECT_NE(told(whole.substr(0, k)), "no error") << k;
    std::string outside = whole;
    outside[whole.find(',') + 1] = 2;  // columns 2 to 4
    EXPECT_EQ(told(outside), "its picture does not lie within its screen");
    std::string huge = whole;
    huge[7] = huge[9] = '\xff';
    EXPECT_EQ(told(huge), "it has too many pixels");
}

TEST(ColourMaps, BeginAndEndAsTheyShould) {
    const auto near = [](const detail::files::Colour& colour, int red, int green, int blue) {
        return std::abs(colour[0] - red) < 9 && std::abs(colour[1] - green) < 9 &&
               std::abs(colour[2] - blue) < 9;
    };
    const auto ends = [&](const char* map) {
        const auto colours = detail::files::colourMap(map);
        return std::pair(colours.front(), colours.back());
    };
    EXPECT_TRUE(near(ends("viridis").first, 68, 1, 84) &&
                near(ends("viridis").second, 253, 231, 37));
    EXPECT_TRUE(near(ends("magma").first, 0, 0, 4) && near(ends("magma").second, 252, 253, 191));
    EXPECT_TRUE(near(ends("grey").first, 0, 0, 0) && near(ends("grey").second, 255, 255, 255));
    EXPECT_TRUE(near(ends("coolwarm").first, 59, 76, 192) &&
                near(ends("coolwarm").second, 180, 4, 38));
    EXPECT_THROW(detail::files::colourMap("jet"), detail::files::Failure);
}

TEST_F(Pictures, WhatCannotBeIsTold) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(4, p.dim(0)), 3);
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
    };
    has(messageOf([&] { Adlib::write(path("a.png"), a, Adlib::colours("jet")); }),
        "known are viridis");
    has(messageOf([&] { Adlib::write(path("a.npy"), a, Adlib::colours("hot")); }),
        "tells no picture");
    has(messageOf([&] { Adlib::write(path("a.png"), create<double>(p, 3)); }), "2 dimensions");
    has(messageOf([&] { Adlib::write(path("a.png"), create<double>(p, 3, 3, 4)); }), "extent 3");
    has(messageOf([&] { Adlib::write(path("a.png"), create<double>(p, 0, 3)); }),
        "at least one pixel");
    has(messageOf([&] { Adlib::write(path("no/a.png"), a); }), "No such file");
    has(messageOf([&] { Adlib::read(a, withText("a.ppm", "P6 9 9 255\nxx")); }), "truncated");
    has(messageOf([&] { Adlib::read(a, withText("a.png", "P6 9 9 255\nxx")); }), "cannot read");
    has(messageOf([&] { Adlib::read(a, withText("a.pgm", "P2 3 3 9 1 2 3 4 5 6 7 8 9")); }),
        "it has 3 x 3 numbers");
    has(messageOf(
            [&] { Adlib::read(a, withText("a.pgm", "P2 #\n3 4 99 1 2 3 4 5 6 7 8 9 1 2 99")); }),
        "no error");
    if (a.rng(0).localBlock().count > 0 && p.rank() == 0) {
        EXPECT_EQ(a.data()[0], 3);
    }
}

TEST(Decoders, DamagedFilesAreRefused) {
    Picture picture{12, 17, 3, std::vector<std::uint8_t>(12 * 17 * 3, 7), {}};
    std::mt19937 random(3);
    for (auto& each : picture.bytes) each = static_cast<std::uint8_t>(random());
    const std::string png = detail::files::encodePng(picture);
    const std::string ppm = detail::files::encodeNetpbm(picture, false);
    Picture grey{12, 17, 1, {picture.bytes.begin(), picture.bytes.begin() + 12 * 17}, {}};
    const std::string gif = detail::files::encodeGif(grey);
    int refused = 0;
    const auto attempt = [&](auto decode, const std::string& bytes) {
        try {
            decode(bytes);
        } catch (const detail::files::Failure&) {
            ++refused;
        }
    };
    for (int k = 0; k < 2000; ++k) {
        for (const auto& [decode, whole] : {std::pair(&detail::files::decodePng, png),
                                            std::pair(&detail::files::decodeNetpbm, ppm),
                                            std::pair(&detail::files::decodeGif, gif)}) {
            std::string bytes = whole;
            if (k % 2 == 0) bytes.resize(random() % bytes.size());
            for (int n = 0; n < 3 && !bytes.empty(); ++n)
                bytes[random() % std::min<std::size_t>(bytes.size(), k % 3 == 0 ? 40 : 10000)] =
                    static_cast<char>(random());
            attempt(decode, bytes);
        }
    }
    EXPECT_GT(refused, 2000);
}

TEST_F(Pictures, FramesAreASeries) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<float>(p, BlockRange(8, p.dim(0)), 8);
    Adlib::Frames frames(path("rho"), Adlib::colours("turbo", 0, 1), 3);
    for (int k = 0; k < 7; ++k) EXPECT_EQ(frames.add(a), k % 3 == 0);
    EXPECT_EQ(frames.count(), 3);
    Adlib::sum(0.0);
    EXPECT_EQ(contents("rho.000002.png"), contents("rho.png"));
    EXPECT_NE(contents("rho.html").find("max=\"2\""), std::string::npos);
    if (apg().rank() == 0) {
        EXPECT_EQ(filesInFolder(), 5);
    }
    Adlib::sum(0.0);
    Adlib::Frames(path("made/for/it/rho")).add(a);  // a folder that was not there
    Adlib::sum(0.0);
    EXPECT_EQ(contents("made/for/it/rho.000000.png"), contents("made/for/it/rho.png"));
}

}  // namespace
}  // namespace hpspmd::test
