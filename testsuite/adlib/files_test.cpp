// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// write, read and look: generated arrays in each format, compared with the bytes that must be in
/// the file, and read back into arrays of another distribution; damaged and hostile files.

#include <sys/stat.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <hpspmd/environment.hpp>

#include "cases.hpp"
#include "files/format.hpp"
#include "files/pieces.hpp"
#include "files/values.hpp"
#include "files_folder.hpp"
#include "generated.hpp"

namespace hpspmd::test {
namespace {

using detail::FileNumber;
using detail::files::FileArray;
using Bytes = std::string;

constexpr FileNumber numbers[] = {
    detail::fileNumber<double>(),        detail::fileNumber<float>(),
    detail::fileNumber<std::int32_t>(),  detail::fileNumber<std::int64_t>(),
    detail::fileNumber<std::uint8_t>(),  detail::fileNumber<std::int16_t>(),
    detail::fileNumber<std::uint64_t>(), detail::fileNumber<std::complex<double>>(),
    detail::fileNumber<bool>(),          detail::fileNumber<std::complex<float>>()};
constexpr const char* endings[] = {".npy", ".raw", ".csv", ".vti", ".npz", ".h5"};

/// The element with this value, in a type's bytes: a different one for each position.
Bytes element(std::int64_t value, FileNumber number) {
    Bytes bytes(number.bytes, '\0');
    const auto store = [&bytes](auto part, std::size_t at = 0) {
        std::memcpy(bytes.data() + at, &part, sizeof part);
    };
    const double real = static_cast<double>(value) / 7 - 3;
    if (number.kind == FileNumber::Boolean) store(static_cast<char>(value % 3 == 0));
    if (number.kind == FileNumber::Real && number.bytes == 8) store(real);
    if (number.kind == FileNumber::Real && number.bytes == 4) store(static_cast<float>(real));
    if (number.kind == FileNumber::Complex && number.bytes == 16) {
        store(real);
        store(-1 / real, 8);
    }
    if (number.kind == FileNumber::Complex && number.bytes == 8) {
        store(static_cast<float>(real));
        store(static_cast<float>(real * real), 4);
    }
    if (number.kind == FileNumber::Signed || number.kind == FileNumber::Unsigned) {
        const std::int64_t integer = number.kind == FileNumber::Signed ? -value : 3 * value;
        std::memcpy(bytes.data(), &integer, number.bytes);
    }
    return bytes;
}

/// The elements of a whole array as a file holds them.
Bytes rowMajor(const Indices& shape, FileNumber number) {
    Bytes bytes;
    forEachIndex(shape,
                 [&](const Indices& index) { bytes += element(valueOf(index, shape), number); });
    return bytes;
}

/// What this process has of an array. Slots that are no elements hold '#'.
class Held {
public:
    Held(const TestArray& array, FileNumber number, const Indices& shape, bool isFilled)
        : array_(array),
          number_(number),
          bytes_(static_cast<std::size_t>(array.slots) * number.bytes, '#') {
        if (isFilled) bytes_ = expected(shape);
    }

    detail::FileOperand operand() {
        char* data =
            array_.group.amMember() ? bytes_.data() + array_.offset * number_.bytes : nullptr;
        return {{"array", array_.layout(), data, number_.bytes, &storage_, array_.offset}, number_};
    }
    Bytes expected(const Indices& shape) const {
        Bytes bytes(bytes_.size(), '#');
        forEachIndex(shape, [&](const Indices& index) {
            const Index slot = slotOf(array_, index, detail::ownRank());
            if (slot >= 0)
                element(valueOf(index, shape), number_)
                    .copy(bytes.data() + slot * number_.bytes, number_.bytes);
        });
        return bytes;
    }
    const Bytes& bytes() const { return bytes_; }

private:
    const TestArray& array_;
    FileNumber number_;
    Bytes bytes_;
    detail::Storage storage_{};
};

/// The elements in a file that write has made.
Bytes elementsIn(const Bytes& file, const std::string& ending, FileNumber number) {
    if (ending == ".raw") return file;
    const auto at = [&file](std::size_t k) { return static_cast<unsigned char>(file[k]); };
    if (ending == ".npy") return file.substr(10 + at(8) + 256 * at(9));
    if (ending == ".npz") {  // behind the header of the only member, before the directory
        const Bytes rest = file.substr(30 + at(26) + at(28) + 256 * at(29));
        return elementsIn(rest.substr(0, rest.rfind("PK\1\2")), ".npy", number);
    }
    if (ending == ".vti") {
        const std::size_t at = file.find("\n_", file.find("AppendedData")) + 2;
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, file.data() + at, sizeof bytes);
        return file.substr(at + sizeof bytes, bytes);
    }
    Bytes elements;
    std::string field;
    for (const char c : file) {
        if (c != ',' && c != '\n') {
            field += c;
            continue;
        }
        Bytes one(number.bytes, '\0');
        EXPECT_TRUE(detail::files::fromText(field, one.data(), number)) << field;
        elements += one;
        field.clear();
    }
    return elements;
}

TEST_F(Files, GeneratedArraysAreWrittenAndReadBack) {
    forLiveCases(150, [&](Random& random) {
        const std::string ending = endings[random.below(std::size(endings))];
        const FileNumber number = numbers[random.below(std::size(numbers))];
        const int rank = ending == ".csv"   ? static_cast<int>(random.between(1, 2))
                         : ending == ".vti" ? static_cast<int>(random.between(1, 3))
                                            : static_cast<int>(random.between(0, 4));
        const Indices shape = randomShape(random, rank);
        const Group grid = randomGrid(random, apg().size());
        const TestArray from = randomArray(random, grid, shape, true);
        const TestArray to = randomArray(random, randomGrid(random, apg().size()), shape, true);
        SCOPED_TRACE(ending + " " + detail::files::nameOf(number) + " " + describe(from) + " to " +
                     describe(to));
        const std::string name = "array" + ending;
        Held source(from, number, shape, true), target(to, number, shape, false);
        if (ending == ".vti" && isEmpty(shape)) {
            EXPECT_THROW(detail::writeFile(path(name), source.operand(), {}, detail::Where::here()),
                         IoError);
            return;
        }
        detail::writeFile(path(name), source.operand(), {}, detail::Where::here());
        if (apg().rank() == 0) {
            // interchange.py reads .h5 by other means.
            if (ending != ".h5") {
                EXPECT_EQ(elementsIn(contents(name), ending, number), rowMajor(shape, number));
            }
            EXPECT_EQ(filesInFolder(), 1);
        }
        if (ending != ".vti" && !(ending == ".csv" && isEmpty(shape))) {
            detail::readFile(target.operand(), path(name), detail::Where::here());
            EXPECT_EQ(target.bytes(), target.expected(shape));
        }
        Adlib::broadcast(0);
        if (apg().rank() == 0) std::filesystem::remove(path(name));
        Adlib::broadcast(0);
    });
}

TEST_F(Files, ManyPieces) {
    const Procs1 p;
    const detail::On on(p);
    const CyclicRange y(3000, p.dim(0));
    const auto a = create<double>(p, CollapsedRange(3), 40, y);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 40; ++j)
            for (const Block& b : y.localBlocks())
                for (Index k = 0; k < b.count; ++k)
                    a.data()[a.stride(0) * i + a.stride(1) * j +
                             a.stride(2) * (b.localBase + k * b.localStep)] =
                        static_cast<double>(i * 120000 + j * 3000 + b.globalBase +
                                            k * b.globalStep);
    detail::files::setPieceBytes(100000);
    Adlib::write(path("pieces.npy"), a);
    detail::files::setPieceBytes(8 << 20);
    const auto info = Adlib::look(path("pieces.npy"));
    EXPECT_EQ(info.shape, (std::vector<Index>{3, 40, 3000}));
    EXPECT_EQ(info.type, "float64");
    const auto all = create<double>(p, 3, 40, 3000);
    detail::files::setPieceBytes(70000);
    Adlib::read(all, path("pieces.npy"));
    detail::files::setPieceBytes(8 << 20);
    for (Index k = 0; k < 360000; ++k) EXPECT_EQ(all.data()[k], static_cast<double>(k));
}

TEST_F(Files, ASectionAndAttributesOfItsShape) {
    const Procs1 p;
    const detail::On on(p);
    const ExtBlockRange x(20, p.dim(0), 2, 1);
    const auto a = create<int>(p, x, 6);
    for (const Block& b : x.localBlocks())
        for (Index k = 0; k < b.count; ++k)
            for (Index j = 0; j < 6; ++j)
                a.data()[a.stride(0) * (b.localBase + k) + a.stride(1) * j] =
                    static_cast<int>(100 * (b.globalBase + k) + j);
    Adlib::write(path("section.csv"), section(a, Triplet(18, 2, -4), Triplet(1, 5, 2)));
    EXPECT_EQ(contents("section.csv"),
              "1801,1803,1805\n1401,1403,1405\n1001,1003,1005\n"
              "601,603,605\n201,203,205\n");
    const auto info = Adlib::look(path("section.csv"));
    EXPECT_EQ(info.shape, (std::vector<Index>{5, 3}));
    EXPECT_EQ(info.type, "");
}

TEST_F(Files, LargeTablesOfTextAreWrittenByForceOnly) {
    const Procs1 p;
    const detail::On on(p);
    const Index size = 10'000'001;
    const auto a = create<std::int8_t>(p, BlockRange(size, p.dim(0)));
    for (const Block& b : a.rng(0).localBlocks())
        for (Index k = 0; k < b.count; ++k) a.data()[b.localBase + k] = 7;
    const std::string told = messageOf([&] { Adlib::write(path("large.csv"), a); });
    EXPECT_NE(told.find("at most 10^7 elements, the array has 10000001; with Adlib::force"),
              std::string::npos)
        << told;
    Adlib::write(path("large.csv"), a, Adlib::force);
    const std::string text = contents("large.csv");
    EXPECT_EQ(text.size(), static_cast<std::size_t>(2 * size));
    EXPECT_EQ(text.substr(text.size() - 4), "7\n7\n");
    Adlib::write(path("forced.npy"), section(a, Triplet(0, 2, 1)), Adlib::force);
    EXPECT_EQ(Adlib::look(path("forced.npy")).shape, (std::vector<Index>{3}));
    const auto told3 =
        messageOf([&] { Adlib::write(path("cube.csv"), create<int>(p, 2, 2, 2), Adlib::force); });
    EXPECT_NE(told3.find("a table has 1 or 2 dimensions"), std::string::npos) << told3;
}

TEST_F(Files, WhatCannotBeReadIsTold) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(4, p.dim(0)), 3);
    const auto told = [&](const std::string& file) {
        return messageOf([&] { Adlib::read(a, file); });
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
    };
    has(told(path("none.npy")), "cannot read '" + path("none.npy") + "': No such file");
    has(told(path("none.txt")), "known are .npy, .raw, .csv");
    has(told("."), "known are");
    has(told(withText("short.npy", "\x93NUMPY")), "it is truncated");
    has(told(withText("bad.npy", std::string(200, 'x'))), "it is no .npy file");
    const auto npy = [&](const std::string& header, const std::string& elements = "") {
        std::string text = "\x93NUMPY";
        text += {'\1', '\0', static_cast<char>(header.size()), '\0'};
        return told(withText("given.npy", text + header + elements));
    };
    has(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (4, 3), }"), "column-major");
    has(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (4, 3), }"),
        "it has 4 x 3 int64, the array is 4 x 3 float64");
    has(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }"), "it has 4 x 2 float64");
    has(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4, 3), }"), "it is truncated");
    has(npy("{'descr': '<U8', 'fortran_order': False, 'shape': (4, 3), }"), "no number");
    for (const char* header :
         {"", "{", "{}", "{'descr'", "{'descr':", "{'descr': '<f8'", "{'shape': (-4, 3), }",
          "{'shape': (99999999999999999999, 3), }", "{'shape': (4", "{'other': 3}", "{'descr': 'x"})
        has(npy(header), "cannot read");
    has(told(withText("bytes.raw", std::string(95, 'x'))),
        "it has 95 bytes, the array (4 x 3 float64) 96");
    has(told(withText("text.csv", "1,2,3\n4,5\n")), "line 2 has 2 fields, the lines before have 3");
    has(told(withText("text.csv", "1,2,3\n4,5,6\n7,8,9\n1,x,3\n")), "line 4: 'x' is no float64");
    has(told(withText("text.csv", "1,2,3\n")), "it has 1 x 3 numbers");
    has(messageOf([&] { Adlib::look(path("bytes.raw")); }), "does not tell its shape");
    if (apg().rank() == 0) {
        std::filesystem::create_directory(path("folder.npy"));
        EXPECT_EQ(::mkfifo(path("pipe.npy").c_str(), 0600), 0);
    }
    Adlib::broadcast(0);
    has(told(path("folder.npy")), "no regular file");
    has(told(path("pipe.npy")), "no regular file");
    // The good look-alikes.
    const std::string header = "{'shape': (4,3), 'fortran_order': False, \"descr\": \">f8\"}";
    std::string elements;
    for (int k = 0; k < 12; ++k) elements += std::string(1, '\x3f') + '\xf0' + std::string(6, '\0');
    EXPECT_EQ(npy(header, elements), "no error");
    if (a.localExtent(0) > 0) {
        EXPECT_EQ(a.data()[0], 1);
    }
    EXPECT_EQ(
        told(withText("text.csv", "x; y; z\n# units\n1; 2; 3\n\n4 5 6\n7,8,9\r\n1e3,nan,-inf")),
        "no error");
}

TEST_F(Files, SeveralArraysInOne) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<int>(p, BlockRange(9, p.dim(0)), 2);
    const auto b = create<std::complex<float>>(p, CyclicRange(5, p.dim(0)));
    const auto set = [](const auto& array, int value) {
        for (Index k = 0; k < array.localExtent(0) * array.stride(0); ++k)
            array.data()[k] = static_cast<float>(value);
    };
    for (const char* name : {"all.npz", "all.h5"}) {
        set(a, 3);
        {
            Adlib::File file(path(name));
            file.write("a", a);
            file.write("group/b", b);
            file.write("time", 0.5);
            file.write("unit", "K");
            file.write("list", std::vector<int>{1, 2});
            EXPECT_NE(messageOf([&] { Adlib::read(a, path(name)); }), "no error");  // not yet
        }
        set(a, 4);
        Adlib::read(a, path(name) + ":a");
        Adlib::read(b, path(name) + ":/group/b");
        if (a.localExtent(0) > 0) {
            EXPECT_EQ(a.data()[0], 3);
        }
        EXPECT_EQ(Adlib::look(path(name) + ":group/b").type, "complex64");
        EXPECT_EQ(Adlib::look(path(name) + ":time").shape, (std::vector<Index>{}));
        EXPECT_EQ(Adlib::look(path(name) + ":unit").type, "text");
        EXPECT_NE(
            messageOf([&] { Adlib::look(path(name) + ":c"); }).find("no array 'c'; it has 'a'"),
            std::string::npos);
        try {
            Adlib::File file(path(name));
            file.write("a", b);
            throw 1;
        } catch (int) {
        }
        Adlib::read(a, path(name) + ":a");  // the old one is there
        Adlib::File twice(path(name));
        twice.write("a", a);
        EXPECT_NE(messageOf([&] { twice.write("a", a); }).find("two arrays 'a'"),
                  std::string::npos);
        EXPECT_NE(messageOf([&] { twice.close(); }).find("was closed"), std::string::npos);
    }
    Adlib::sum(0.0);
    if (apg().rank() == 0) {
        EXPECT_EQ(filesInFolder(), 2);
    }
}

TEST_F(Files, DamagedHdf5IsRefused) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(30, p.dim(0)), 10);
    Adlib::write(path("whole.h5"), a);
    const std::string whole = contents("whole.h5");
    const auto told = [&] { return messageOf([&] { Adlib::read(a, path("part.h5")); }); };
    Random random(5);
    for (std::size_t k = 0; k < 12; ++k) {
        withText("part.h5", whole.substr(0, k * whole.size() / 12));
        EXPECT_NE(told(), "no error") << k;
        std::string other = whole;
        for (int n = 0; n < 8; ++n)
            other[random.below(2000)] = static_cast<char>(random.below(256));
        withText("part.h5", other);
        told();  // anything but a crash
    }
}

TEST_F(Files, WhatCannotBeWrittenLeavesTheOldFile) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(1000, p.dim(0)));
    const auto told = [&](const std::string& file) {
        return messageOf([&] { Adlib::write(file, a); });
    };
    EXPECT_NE(told(path("no/such/folder.npy")).find("No such file"), std::string::npos);
    EXPECT_NE(told(path("x.jpeg")).find("known are"), std::string::npos);
    for (const char* ending : endings) {
        const std::string name = std::string("kept") + ending;
        withText(name, "old");
        {
            const FileLimit limit(500);
            EXPECT_NE(told(path(name)).find("cannot write"), std::string::npos);
        }
        if (apg().rank() == 0) {
            EXPECT_EQ(contents(name), "old");
            std::filesystem::remove(path(name));
            EXPECT_EQ(filesInFolder(), 0);
        }
        Adlib::broadcast(0);
    }
}

}  // namespace
}  // namespace hpspmd::test
