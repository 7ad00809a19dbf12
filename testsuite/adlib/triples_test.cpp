// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// readTriples: generated matrices of each field and symmetry, whose elements are known, on all
/// numbers of processes; what is no such matrix.

#include <algorithm>
#include <complex>
#include <hpspmd/plain.hpp>
#include <random>
#include <tuple>

#include "cases.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

using TriplesOfFiles = Files;

template <class T>
using List = std::vector<std::tuple<Index, Index, T>>;

/// All elements, in all processes.
template <class T>
List<T> listOf(const Adlib::Triples<T>& triples) {
    const Index n = triples.values().size(0);
    const Procs1 p;
    const detail::On on(p);
    const auto whole = [&](const auto& from) {
        const auto to = create<typename std::decay_t<decltype(from)>::Element>(p, n);
        Adlib::remap(to, from);
        return to;
    };
    const auto rows = whole(triples.rows()), columns = whole(triples.columns());
    const auto values = whole(triples.values());
    List<T> list;
    for (Index k = 0; k < n; ++k)
        list.emplace_back(rows.data()[k], columns.data()[k], values.data()[k]);
    return list;
}

template <class T>
List<T> readList(const std::string& file) {
    return listOf(Adlib::readTriples<T>(file));
}

/// The text of a value, and the value that is read of it.
template <class T>
std::pair<std::string, T> valueOf(std::mt19937& random) {
    const auto k = static_cast<int>(random() % 2001) - 1000;
    if constexpr (detail::isComplex<T>)
        return {std::to_string(k) + "  " + std::to_string(k / 8.0), T(k, k / 8.0)};
    else if constexpr (std::is_integral_v<T>)
        return {std::to_string(k), static_cast<T>(k)};
    else
        return {std::to_string(k / 16.0), static_cast<T>(k / 16.0)};
}

TEST_F(TriplesOfFiles, GeneratedMatrices) {
    using Complex = std::complex<double>;
    std::mt19937 random(11);  // the same on all processes
    const auto generated = [&](auto element, const char* field, const std::string& symmetry) {
        using T = decltype(element);
        const Index rows = 1 + random() % 40,
                    columns = symmetry == "general" ? 1 + random() % 40 : rows;
        const Index count = random() % 60;
        std::string text;
        List<T> wanted;
        Index written = 0;
        for (Index k = 0; k < count; ++k) {
            const Index row = random() % rows, column = random() % columns;
            if (symmetry == "skew-symmetric" && row == column) continue;
            const auto [word, value] = valueOf<T>(random);
            if (k % 7 == 0)
                text += k % 2 == 0 ? "\n" : "% " + std::string(random() % 300, 'x') + "\n";
            text += (k % 3 == 0 ? "  " : "") + std::to_string(row + 1) + (k % 5 == 0 ? "\t" : " ") +
                    std::to_string(column + 1) + " " + word + (k % 4 == 0 ? " \r\n" : "\n");
            ++written;
            wanted.emplace_back(row, column, value);
            if (symmetry == "general" || row == column) continue;
            T mirrored = symmetry == "skew-symmetric" ? static_cast<T>(-value) : value;
            if constexpr (detail::isComplex<T>)
                if (symmetry == "hermitian") mirrored = std::conj(value);
            wanted.emplace_back(column, row, mirrored);
        }
        if (random() % 2 == 0 && !text.empty()) text.pop_back();  // no end of the last line
        const std::string head = std::string("%%MatrixMarket  MATRIX coordinate ") + field + " " +
                                 symmetry + "\n% comment\n\n" + std::to_string(rows) + " " +
                                 std::to_string(columns) + " " + std::to_string(written) + "\n";
        const Adlib::Triples found = Adlib::readTriples<T>(withText("a.mtx", head + text));
        EXPECT_EQ(found.shape(), (std::array<Index, 2>{rows, columns}));
        EXPECT_EQ(listOf(found), wanted) << field << " " << symmetry << "\n" << head + text;
    };
    for (int times = 10 * timesWanted(); times > 0; --times)
        for (const char* symmetry : {"general", "symmetric", "skew-symmetric", "hermitian"}) {
            generated(double(), "real", symmetry);
            generated(float(), "real", symmetry);
            generated(std::int64_t(), "integer", symmetry);
            generated(Complex(), "complex", symmetry);
        }
}

TEST_F(TriplesOfFiles, OfOtherTypes) {
    const std::string head = "%%MatrixMarket matrix coordinate ";
    using Complex = std::complex<float>;
    EXPECT_EQ(readList<double>(withText("a.mtx", head + "pattern symmetric\n2 2 2\n2 1\n2 2\n")),
              (List<double>{{1, 0, 1}, {0, 1, 1}, {1, 1, 1}}));
    EXPECT_EQ(readList<float>(withText("a.mtx", head + "integer general\n2 3 1\n1 3 -7\n")),
              (List<float>{{0, 2, -7}}));
    EXPECT_EQ(readList<Complex>(withText("a.mtx", head + "real general\n2 3 1\n1 3 -7e-1\n")),
              (List<Complex>{{0, 2, -0.7F}}));
    EXPECT_EQ(readList<double>(withText("a.mtx", head + "real general\n9 9 0\n")), List<double>{});
    const Procs2 p;
    const detail::On on(p);
    const std::string three = head + "integer general\n9 9 3\n1 1 1\n2 2 2\n3 3 3\n";
    const auto over = Adlib::readTriples<int>(withText("a.mtx", three), p.dim(1));
    EXPECT_EQ(over.values().size(0), 3);
    for (auto k : overall(over.values().rng(0))) {  // each of them in all rows of the grid
        EXPECT_EQ(over.values()(k), k.global + 1);
        EXPECT_EQ(over.rows()(k), k.global);
        EXPECT_EQ(over.columns()(k), k.global);
    }
    EXPECT_EQ(readList<double>(withText("a.mtx", head + "real general\n9 9 2\n1 1 2\n1 1 3\n")),
              (List<double>{{0, 0, 2}, {0, 0, 3}}));
}

TEST_F(TriplesOfFiles, WhatIsNoSuchMatrixIsTold) {
    const auto told = [&](const std::string& text) {
        return messageOf([&] { Adlib::readTriples<double>(withText("bad.mtx", text)); });
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
    };
    const std::string good = "%%MatrixMarket matrix coordinate real general\n";
    const std::string of = "%%MatrixMarket matrix coordinate ";
    has(told(""), "cannot read '" + path("bad.mtx") + "': it is no matrix of the Matrix Market");
    has(told("1 2 3\n"), "no matrix of the Matrix Market");
    has(told(good), "its head ends too early");
    has(told(good + "%\n2 2\n"), "no rows, columns and number of elements");
    has(told(good + "2 2 x\n"), "'x' is no whole number");
    has(told(good + "2 -2 1\n"), "'-2' is no whole number");
    has(told(good + "2 2 99999999999999999999\n"), "is no whole number");
    has(told("%%MatrixMarket matrix array real general\n1 1\n1\n"), "read() reads it");
    has(told(of + "reals general\n"), "the field 'reals', which is unknown");
    has(told(of + "real diagonal\n"), "the symmetry 'diagonal', which is unknown");
    has(told(of + "real symmetric\n2 3 1\n1 1 1\n"), "symmetric, but not square");
    has(told(of + "complex general\n1 1 1\n1 1 1 1\n"), "complex numbers, the values are float64");
    has(told(good + "2 2 2\n1 1 1\n"), "it has 1 elements, its head says 2");
    has(told(good + "2 2 1\n1 1 1\n2 2 2\n"), "it has 2 elements, its head says 1");
    has(told(good + "2 2 1\n%\n1 3 1\n"), "line 4: there is no column 3: they count from 1 to 2");
    has(told(good + "2 2 1\n0 1 1\n"), "line 3: there is no row 0");
    has(told(good + "2 2 1\n1 1\n"), "line 3: it has 2 words instead of 3");
    has(told(good + "2 2 2\n1 1 1\n2 2 1d0\n"), "line 4: '1d0' is no float64");
    has(told(of + "real skew-symmetric\n2 2 1\n1 1 1\n"), "line 3: a skew-symmetric matrix has no");
    has(told(good + "2 2 1\n" + std::string(3 << 20, ' ') + "\n1 1 1\n"), "a million characters");
    has(messageOf([&] { Adlib::readTriples<int>(withText("bad.mtx", good + "2 2 1\n1 1 1.5\n")); }),
        "it has real numbers, the values are int32");
    has(messageOf([&] {
            Adlib::readTriples<unsigned>(
                withText("bad.mtx", of + "integer skew-symmetric\n2 2 1\n2 1 1\n"));
        }),
        "negative numbers");
    has(messageOf([&] { Adlib::readTriples<double>(path("none.mtx")); }), "No such file");
    EXPECT_EQ(told(good + "2 2 1\n" + std::string(9 << 17, ' ') + "\n1 1 1"), "no error");
}

// Blocks of the text that end within lines, and cuts between the processes everywhere.
TEST_F(TriplesOfFiles, ManyLines) {
    const Index n = 120000;
    std::string text =
        "%%MatrixMarket matrix coordinate integer general\n1000000 7 " + std::to_string(n) + "\n";
    for (Index k = 0; k < n; ++k)
        text += std::to_string(k + 1) + " " + std::to_string(k % 7 + 1) + " " +
                std::to_string(3 * k) + "\n";
    const auto list = readList<Index>(withText("many.mtx", text));
    ASSERT_EQ(static_cast<Index>(list.size()), n);
    Index different = 0;
    for (Index k = 0; k < n; ++k)
        different += list[static_cast<std::size_t>(k)] != std::tuple(k, k % 7, 3 * k);
    EXPECT_EQ(different, 0);
}

}  // namespace
}  // namespace hpspmd::test
