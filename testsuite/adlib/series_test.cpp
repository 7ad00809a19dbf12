// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images of VTK with several arrays, in series and in HDF5: what cannot be, and what stays of an
/// earlier run. images.py reads them by VTK.

#include <hpspmd/plain.hpp>

#include "cases.hpp"
#include "files/container.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

using SeriesOfImages = Files;

void has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST_F(SeriesOfImages, GoOnWhereAnEarlierRunWas) {
    const Procs1 p;
    const detail::On on(p);
    auto a = create<float>(p, BlockRange(4, p.dim(0)), 3);
    const auto timesOf = [&] {
        Adlib::sum(0.0);
        std::string text = contents("f&g/run.pvd"), times;
        for (std::size_t at = 0; (at = text.find("timestep=\"", at)) != text.npos;) {
            at += 10;
            times += text.substr(at, text.find('"', at) - at) + " ";
        }
        Adlib::sum(0.0);
        return times;
    };
    const auto run = [&](std::vector<double> times) {
        Adlib::Series series(path("f&g/run.pvd"));
        series("a", a);
        for (const double time : times) EXPECT_TRUE(series.add(time));
        return series.count();
    };
    EXPECT_EQ(run({0, 0.1, 1e-7}), 3);
    EXPECT_EQ(timesOf(), "0 0.1 1e-07 ");
    EXPECT_EQ(run({0.05, 3}), 4);  // 0 and 1e-07 are before
    EXPECT_EQ(timesOf(), "0 1e-07 0.05 3 ");
    EXPECT_EQ(run({4, 5}), 6);
    EXPECT_EQ(run({-1}), 1);  // from the beginning
    EXPECT_EQ(timesOf(), "-1 ");
    withText("f&g/run.pvd", "    <DataSet timestep=\"x\" file=\"a\n    <DataSet timestep=\"-7\"");
    EXPECT_EQ(run({1, 2}), 2);
    EXPECT_EQ(timesOf(), "1 2 ");
    Adlib::Series every(path("e.pvd"), 3);
    every("a", a);
    for (int k = 0; k < 7; ++k) EXPECT_EQ(every.add(k), k % 3 == 0);
    EXPECT_EQ(every.count(), 3);
}

TEST_F(SeriesOfImages, WhatCannotBeIsTold) {
    const Procs1 p;
    const detail::On on(p);
    auto a = create<double>(p, BlockRange(40, p.dim(0)), 30);
    auto b = create<int>(p, BlockRange(40, p.dim(0)), 31);
    auto four = create<double>(p, 2, 2, 2, 2);
    const auto empty = create<double>(p, 0, 3);
    has(messageOf([&] { Adlib::Series(path("run.vti")); }), "ends in .pvd");
    has(messageOf([&] { Adlib::Series(".pvd"); }), "ends in .pvd");
    has(messageOf([&] { Adlib::Series(path("run.pvd")).add(1); }),
        "cannot write '" + path("run.pvd") + "': the series has no arrays");
    has(messageOf([&] { Adlib::Series(path("run.pvd"))("a", a)("b", b).add(1); }),
        "have one shape: 'a' is 40 x 30 float64, 'b' 40 x 31 int32");
    has(messageOf([&] { Adlib::Series(path("run.pvd"))("four", four).add(1); }),
        "1 to 3 dimensions");
    has(messageOf([&] { Adlib::Series(path("run.pvd"))("a", a)("a", a).add(1); }),
        "two arrays 'a'");
    has(messageOf([&] { Adlib::Series(path("run.pvd"))("a\n", a).add(1); }), "control characters");
    has(messageOf([&] { Adlib::write(path("a.vti"), empty); }), "at least one element");
    has(messageOf([&] { Adlib::File(path("a.vti")).close(); }), "at least one array");
    has(messageOf([&] { Adlib::File(path("a.vti")).write("time", 1.5); }), "1 to 3 dimensions");
    has(messageOf([&] { Adlib::write(path("a.vti"), a, {{"unit", "K"}}); }), "no attributes");
    has(messageOf([&] { Adlib::read(a, path("none.vti")); }), "No such file");
    has(messageOf([&] {
            Adlib::File file(path("a.vti"));
            for (int k = 0; k < 200; ++k) file.write(std::to_string(k) + std::string(60, 'x'), a);
            file.close();
        }),
        "need more than 16384 bytes");
    Adlib::sum(0.0);
    if (apg().rank() == 0) {
        EXPECT_EQ(filesInFolder(), 0);
    }
    Adlib::write(path("a.vti:t"), a);
    has(contents("a.vti"), "Name=\"t\"");
    has(messageOf([&] { Adlib::read(a, path("a.vti")); }), "for viewers");
    // The list names only whole images.
    Adlib::Series series(path("run.pvd"));
    series("a", a);
    series.add(1);
    Adlib::sum(0.0);
    const std::string before = contents("run.pvd");
    Adlib::sum(0.0);
    {
        const FileLimit limit(5000);
        has(messageOf([&] { series.add(2); }), "cannot write");
    }
    EXPECT_EQ(contents("run.pvd"), before);
    EXPECT_EQ(series.count(), 1);
    Adlib::sum(0.0);
    EXPECT_TRUE(series.add(2));
    EXPECT_EQ(series.count(), 2);
}

TEST_F(SeriesOfImages, InHdf5AreNoFurtherArrays) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(4, p.dim(0)), 3, 2);
    const auto namesIn = [&](const std::string& name) {
        detail::files::DiskFile file = detail::files::DiskFile::forReading(path(name));
        std::string names;
        for (const auto& each : detail::files::insideOf(name)->container->look(file).entries)
            names += each.name + " ";
        return names;
    };
    {
        Adlib::File file(path("a.h5"));
        file.write("u", a);
        file.write("run/v", a);
    }
    EXPECT_EQ(namesIn("a.h5"), "run/v u ");
    Adlib::read(a, path("a.h5:run/v"));
    has(contents("a.h5"), "WholeExtent");
    {
        Adlib::File file(path("b.h5"));
        file.write("VTKHDF/u", a);  // a name that is the user's
        file.write("v", a);
    }
    EXPECT_EQ(namesIn("b.h5"), "VTKHDF/u v ");
    EXPECT_EQ(contents("b.h5").find("WholeExtent"), std::string::npos);
    Adlib::sum(0.0);
}

}  // namespace
}  // namespace hpspmd::test
