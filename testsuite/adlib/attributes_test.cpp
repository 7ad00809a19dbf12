// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Attributes of arrays and files: what is written is what look tells, on all processes; what
/// cannot be. interchange.py compares with h5py.

#include <complex>
#include <hpspmd/plain.hpp>

#include "cases.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

using AttributesOfFiles = Files;

void has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST_F(AttributesOfFiles, AreWhatWasWritten) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<float>(p, BlockRange(6, p.dim(0)), 2);
    const Index step = (Index{1} << 40) + apg().rank();  // what the first process has
    Adlib::write(path("a.h5:run/t"), a,
                 {{"unit", "K"}, {"step", step}, {"origin", std::vector<double>{0.5, -1, 1e300}}});
    const auto info = Adlib::look(path("a.h5:run/t"));
    EXPECT_EQ(info.shape, (std::vector<Index>{6, 2}));
    ASSERT_EQ(info.attributes.size(), 3);
    EXPECT_EQ(info.attributes.at("unit").text(), "K");
    EXPECT_EQ(info.attributes.at("step").number(), static_cast<double>(Index{1} << 40));
    EXPECT_EQ(info.attributes.at("origin").numbers(), (std::vector<double>{0.5, -1, 1e300}));
    EXPECT_EQ(info.attributes.at("origin").text(), "0.5 -1 1e+300");
    EXPECT_FALSE(info.attributes.has("crc32"));
    Adlib::read(a, path("a.h5:run/t"));
    Adlib::write(path("one.h5"), a, {{"unit", "K"}});  // no picture with a map "K"
    EXPECT_EQ(Adlib::look(path("one.h5")).attributes.at("unit").text(), "K");
}

TEST_F(AttributesOfFiles, OfEachType) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, 2);
    Adlib::Attributes all;
    all.set("bool", true);
    all.set("int8", static_cast<std::int8_t>(-3));
    all.set("uint64", ~std::uint64_t{0});
    all.set("float", 0.1F);
    all.set("complex", std::complex<double>(1, -2));
    all.set("none", std::vector<int>{});
    all.set("empty", "");
    all.set("umlaut", std::string("\xc3\xa4, \"b\"\n"));
    all.set("bool", false);  // in place of the first one
    Adlib::write(path("a.h5"), a, all);
    const auto found = Adlib::look(path("a.h5")).attributes;
    ASSERT_EQ(found.size(), all.size());
    for (const auto& [name, value] : all) {
        EXPECT_EQ(found.at(name).value().number.kind, value.value().number.kind) << name;
        EXPECT_EQ(found.at(name).value().shape, value.value().shape) << name;
        EXPECT_EQ(found.at(name).text(), value.text()) << name;
    }
    EXPECT_EQ(found.at("uint64").text(), "18446744073709551615");
    EXPECT_EQ(found.at("complex").text(), "1-2j");
    EXPECT_EQ(found.at("bool").number(), 0);
    has(messageOf([&] { found.at("unit"); }), "no attribute 'unit'; there are 'bool', 'complex'");
    has(messageOf([&] { found.at("umlaut").number(); }), "is the text '");
    has(messageOf([&] { found.at("complex").number(); }), "is complex: 1-2j");
    has(messageOf([&] { found.at("none").number(); }), "has 0 numbers, not one");
    has(messageOf([&] { Adlib::Attributes().at("x"); }), "there is no attribute 'x'");
}

TEST_F(AttributesOfFiles, OfFiles) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(5, p.dim(0)));
    {
        Adlib::File file(path("a.h5"));
        file.attribute("time", 0.25);
        file.write("u", a, {{"unit", "m/s"}});
        file.write("v", a);
        file.attribute("program", "flow");
    }
    EXPECT_EQ(Adlib::look(path("a.h5:u")).attributes.at("unit").text(), "m/s");
    EXPECT_TRUE(Adlib::look(path("a.h5:v")).attributes.empty());
    const auto whole = Adlib::look(path("a.h5:/"));
    EXPECT_EQ(whole.attributes.at("time").number(), 0.25);
    EXPECT_EQ(whole.attributes.at("program").text(), "flow");
    EXPECT_EQ(whole.attributes.size(), 2);
    EXPECT_EQ(whole.type, "");
    {
        Adlib::File empty(path("none.h5"));
        empty.attribute("time", 1);
    }
    EXPECT_EQ(Adlib::look(path("none.h5:/")).attributes.at("time").number(), 1);
    Adlib::File file(path("a.h5"));
    file.attribute("time", 1);
    has(messageOf([&] { file.attribute("time", 2); }), "two attributes 'time'");
    has(messageOf([&] { file.write("u", a); }), "was closed");
}

TEST_F(AttributesOfFiles, WhatCannotBeIsTold) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(4, p.dim(0)), 3);
    for (const char* name : {"a.npy", "a.raw", "a.csv", "a.asc", "a.mtx", "a.png", "a.pgm", "a.gif",
                             "a.npz", "a.npz:t"}) {
        withText("a.npz", "old");
        has(messageOf([&] {
                Adlib::write(path(name), a, {{"unit", "K"}});
            }),
            "such files have no attributes; .h5 has");
        Adlib::write(path(name), a, Adlib::Attributes());
    }
    const auto told = [&](const Adlib::Attributes& attributes) {
        return messageOf([&] { Adlib::write(path("a.h5"), a, attributes); });
    };
    withText("a.h5", "old");
    has(told({{"", 1}}), "1 to 1000 bytes");
    has(told({{"x", 1}, {"x", 2}}), "two attributes 'x'");
    has(told({{"x", std::string("a\0b", 3)}}), "byte 0");
    has(told({{"crc32", 1}}), "is that of Adlib");
    has(told({{"x", std::vector<double>(20000)}}), "HDF5 cannot make the attribute 'x'");
    EXPECT_EQ(contents("a.h5"), "old");
    has(messageOf([&] { Adlib::write(path("a.h5:/"), a); }), "the name of an array");
    has(messageOf([&] { Adlib::read(a, path("a.h5:/")); }), "cannot read");
    Adlib::File file(path("b.npz"));
    has(messageOf([&] { file.attribute("time", 1); }), "no attributes; .h5 has");
    // The good look-alike.
    EXPECT_EQ(told({{"x", std::vector<double>(5000)}, {"y", std::string("ab\0", 3)}}), "no error");
}

}  // namespace
}  // namespace hpspmd::test
