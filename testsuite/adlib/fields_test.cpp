// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of objects whose members HPSPMD_FIELDS has told, in files; interchange.py reads them by
/// NumPy and h5py.

#include <complex>
#include <cstring>
#include <hpspmd/plain.hpp>

#include "cases.hpp"
#include "files_folder.hpp"

namespace particles {

struct Particle {
    std::int8_t kind;  // 7 bytes of padding behind it
    double x;
    float v[3];
    std::complex<double> phase;
    bool isFree;
};
HPSPMD_FIELDS(Particle, kind, x, v, phase, isFree)

struct Moved {  // the same members in another order
    double x;
    std::int8_t kind;
    float v[3];
    std::complex<double> phase;
    bool isFree;
};
HPSPMD_FIELDS(Moved, x, kind, v, phase, isFree)

struct Pair {
    double a, b;  // no complex number
};
HPSPMD_FIELDS(Pair, a, b);

}  // namespace particles

namespace hpspmd::test {
namespace {

using FieldsInFiles = Files;
using particles::Moved;
using particles::Pair;
using particles::Particle;

Particle particle(Index k) {
    const auto real = static_cast<double>(k);
    const auto small = static_cast<float>(k);
    return {static_cast<std::int8_t>(k % 100),
            real / 3,
            {small, -small, 2 * small},
            {real, -real},
            k % 2 == 0};
}
bool areEqual(const Particle& a, const Particle& b) {
    return a.kind == b.kind && a.x == b.x && std::equal(a.v, a.v + 3, b.v) && a.phase == b.phase &&
           a.isFree == b.isFree;
}
void has(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST_F(FieldsInFiles, AreReadBack) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<Particle>(p, CyclicRange(500, p.dim(0)), 2);
    for (auto i : overall(a.rng(0)))
        for (Index j = 0; j < 2; ++j) a(i, j) = particle(2 * i.global + j);
    for (const char* name : {"a.npy", "a.raw", "a.npz:run/t", "a.h5:run/t"}) {
        Adlib::write(path(name), a);
        const auto b = create<Particle>(p, BlockRange(500, p.dim(0)), 2);
        Adlib::read(b, path(name));
        Index different = 0;
        for (auto i : overall(b.rng(0)))
            for (Index j = 0; j < 2; ++j)
                different += !areEqual(b(i, j), particle(2 * i.global + j));
        EXPECT_EQ(different, 0) << name;
        if (std::strcmp(name, "a.raw") == 0) continue;
        EXPECT_EQ(Adlib::look(path(name)).type,
                  "{kind int8, x float64, v float32[3], phase complex128, isFree bool}");
        const auto part = create<Particle>(p, 3, 1);
        Adlib::read(part, path(name), {{490, 3}, {1, 1}});
        EXPECT_TRUE(areEqual(part.data()[part.stride(0) * 2], particle(2 * 492 + 1)));
        const auto other = create<Moved>(p, BlockRange(500, p.dim(0)), 2);
        has(messageOf([&] { Adlib::read(other, path(name)); }),
            ", the array is 500 x 2 {x float64");
        const auto numbers = create<double>(p, BlockRange(500, p.dim(0)), 2);
        has(messageOf([&] { Adlib::read(numbers, path(name)); }), "it has 500 x 2 {kind int8");
        Adlib::write(path(name), numbers);
        has(messageOf([&] { Adlib::read(b, path(name)); }), "it has 500 x 2 float64");
    }
}

TEST_F(FieldsInFiles, InFilesOfSeveralArraysAndCheckpoints) {
    const Procs1 p;
    const detail::On on(p);
    auto a = create<Pair>(p, BlockRange(7, p.dim(0)));
    for (auto i : overall(a.rng(0))) a(i) = {static_cast<double>(i.global), -1};
    for (const std::string name : {"s.npz", "s.h5"}) {
        Adlib::Checkpoint state(path(name));
        state("a", a);
        state.now();
        for (auto i : overall(a.rng(0))) a(i) = {0, 0};
        EXPECT_TRUE(state.restore());
        for (auto i : overall(a.rng(0)))
            EXPECT_TRUE(a(i).a == static_cast<double>(i.global) && a(i).b == -1);
        EXPECT_EQ(Adlib::look(path(name) + ":a").type, "{a float64, b float64}");
    }
}

TEST_F(FieldsInFiles, WhatCannotBeIsTold) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<Pair>(p, BlockRange(4, p.dim(0)), 3);
    has(messageOf([&] { Adlib::write(path("a.csv"), a); }), "a table of text has numbers");
    has(messageOf([&] { Adlib::write(path("a.asc"), a); }), "a table of text has numbers");
    has(messageOf([&] { Adlib::write(path("a.mtx"), a); }), "a table of text has numbers");
    has(messageOf([&] { Adlib::write(path("a.vti"), a); }), "an image of VTK has numbers");
    has(messageOf([&] { Adlib::write(path("a.png"), a); }), "objects have no colours");
    has(messageOf([&] { Adlib::read(a, withText("b.csv", "1,2,3\n1,2,3\n1,2,3\n1,2,3\n")); }),
        "it has 4 x 3 numbers, the array is 4 x 3 {a float64, b float64}");
    const auto npy = [&](const std::string& type, const std::string& shape = "(4, 3)") {
        const std::string header =
            "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
        std::string text = "\x93NUMPY";
        text += {'\1', '\0', static_cast<char>(header.size()), '\0'};
        return messageOf(
            [&] { Adlib::read(a, withText("given.npy", text + header + std::string(192, '\0'))); });
    };
    EXPECT_EQ(npy("[('a', '<f8'), ('b', '<f8')]"), "no error");
    EXPECT_EQ(npy("[('a','<f8'),('b','<f8'),]"), "no error");
    has(npy("[('a', '<f8'), ('c', '<f8')]"), "it has 4 x 3 {a float64, c float64}");
    has(npy("[('a', '<f8'), ('', '|V8'), ('b', '<f8')]"), "the array is");
    has(npy("[('a', '>f8'), ('b', '<f8')]"), "big-endian");
    has(npy("[('a', '<f8', (9999999999999, 9999999999999)), ('b', '<f8')]"), "cannot read");
    has(npy("[('a', '<f8', (99999,)), ('b', '<f8')]"), "too long");
    for (const char* bad : {"[]", "[", "[(", "[('a')]", "[('a', '<U8')]", "[('a', '<f8'",
                            "[('a' '<f8')]", "[('a', [('b', '<f8')])]", "[('a', '<f8', 3)]"})
        has(npy(bad), "cannot read");
}

}  // namespace
}  // namespace hpspmd::test
