// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Readers of files: tables with headers, and random bytes in all formats.

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <hpspmd/plain.hpp>
#include <iostream>
#include <optional>
#include <random>

#include "cases.hpp"
#include "chunked_file.hpp"
#include "files/apart.hpp"
#include "files/container.hpp"
#include "files/disk_file.hpp"
#include "files/format.hpp"
#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

using Readers = Files;

std::vector<double> allOf(const std::string& file) {
    const auto info = Adlib::look(file);
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, CyclicRange(info.shape[0], p.dim(0)), info.shape[1]);
    Adlib::read(a, file);
    const auto all = create<double>(p, info.shape[0], info.shape[1]);
    Adlib::remap(all, a);
    return {all.data(), all.data() + info.shape[0] * info.shape[1]};
}

TEST_F(Readers, GridsAndMatrices) {
    using Values = std::vector<double>;
    EXPECT_EQ(
        allOf(withText(
            "a.asc", "NCOLS 3\nnrows 2\nxllcorner 7.5\nNODATA_value -9999\n1 2 3\n4 -9999 6e1\n")),
        (Values{1, 2, 3, 4, -9999, 60}));
    EXPECT_EQ(
        allOf(withText(
            "a.mtx",
            "%%MatrixMarket matrix array real general\n% by columns\n2 3\n1\n4\n2\n5\n3\n6\n")),
        (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(allOf(withText("b.mtx",
                             "%%MatrixMarket matrix coordinate real symmetric\n%\n3 3 3\n1 1 "
                             "2.5\n3 1 -1\n2 2 +4\n")),
              (Values{2.5, 0, -1, 0, 4, 0, -1, 0, 0}));
    EXPECT_EQ(
        allOf(withText("c.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n")),
        (Values{0, 0, 1, 0}));
    EXPECT_EQ(
        allOf(withText("d.mtx", "%%MatrixMarket matrix array integer skew-symmetric\n2 2\n7\n")),
        (Values{0, -7, 7, 0}));
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<float>(p, BlockRange(5, p.dim(0)), 4);
    for (auto i : overall(a.rng(0)))
        for (Index j = 0; j < 4; ++j) a(i, j) = static_cast<float>(i.global * 4 + j) / 8;
    for (const char* name : {"out.asc", "out.mtx"}) {
        Adlib::write(path(name), a);
        const Values found = allOf(path(name));
        for (std::size_t k = 0; k < 20; ++k)
            EXPECT_EQ(found[k], static_cast<double>(k) / 8) << name;
    }
    const auto told = [&](const char* name, const std::string& text) {
        return messageOf([&] { Adlib::look(withText(name, text)); });
    };
    EXPECT_NE(told("x.asc", "1 2 3").find("nrows or ncols"), std::string::npos);
    EXPECT_NE(told("x.asc", "nrows 2 ncols 2 1 2 3").find("ends too early"), std::string::npos);
    EXPECT_NE(told("x.asc", "nrows 99999999 ncols 99999999").find("cannot be"), std::string::npos);
    EXPECT_NE(told("x.mtx", "1 2").find("no matrix"), std::string::npos);
    EXPECT_NE(told("x.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n")
                  .find("cannot be"),
              std::string::npos);
    EXPECT_NE(
        told("x.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 1\n").find("complex"),
        std::string::npos);
}

// Parts of a file's array, read into any distribution; against the elements that are there.
TEST_F(Readers, PartsOfArrays) {
    const Procs2 p;
    const detail::On on(p);
    const std::vector<Index> shape = {7, 5, 6};
    const auto whole = create<double>(p, BlockRange(7, p.dim(0)), CyclicRange(5, p.dim(1)), 6);
    for (auto i : overall(whole.rng(0)))
        for (auto j : overall(whole.rng(1)))
            for (Index k = 0; k < 6; ++k)
                whole(i, j, k) = static_cast<double>((i.global * 5 + j.global) * 6 + k);
    Random random(3);
    for (const char* name : {"w.npy", "w.npz:a", "w.h5:b/a"}) {
        Adlib::write(path(name), whole);
        for (int times = 12 * timesWanted(); times > 0; --times) {
            std::vector<detail::FileRange> part;
            for (const Index extent : shape) {
                const auto count =
                    static_cast<Index>(random.below(static_cast<std::uint32_t>(extent + 1)));
                const auto most = static_cast<std::uint32_t>(extent - count + 1);
                part.push_back({static_cast<Index>(random.below(most)), count});
                if (random.below(3) == 0) part.back() = {0, extent};
            }
            const auto b = create<double>(p, CyclicRange(part[0].count, p.dim(1)), part[1].count,
                                          BlockRange(part[2].count, p.dim(0)));
            Adlib::read(b, path(name), part);
            for (auto i : overall(b.rng(0)))
                for (Index j = 0; j < part[1].count; ++j)
                    for (auto k : overall(b.rng(2)))
                        EXPECT_EQ(b(i, j, k),
                                  static_cast<double>(
                                      ((part[0].first + i.global) * 5 + part[1].first + j) * 6 +
                                      part[2].first + k.global))
                            << name;
        }
        const auto b = create<double>(p, 2, 3, BlockRange(4, p.dim(0)));
        const auto told = [&](const std::vector<detail::FileRange>& part) {
            return messageOf([&] { Adlib::read(b, path(name), part); });
        };
        EXPECT_EQ(told({{5, 2}, {0, 3}, {2, 4}}), "no error");
        EXPECT_NE(told({{6, 2}, {0, 3}, {2, 4}})
                      .find("it has 7 x 5 x 6 float64, not the part {{6, 2}, {0, 3}, {2, 4}}"),
                  std::string::npos);
        EXPECT_NE(told({{-1, 2}, {0, 3}, {2, 4}}).find("not the part"), std::string::npos);
        EXPECT_NE(told({{5, 2}, {0, 3}}).find("not the part {{5, 2}, {0, 3}}"), std::string::npos);
        EXPECT_NE(
            told({{5, 2}, {0, 3}, {2, 3}}).find("it has 2 x 3 x 3 float64, the array is 2 x 3 x 4"),
            std::string::npos);
    }
    const auto line = create<double>(p, 2);
    const auto told = [&](const std::string& file) {
        return messageOf([&] { Adlib::read(line, file, {{1, 2}}); });
    };
    EXPECT_NE(told(withText("w.csv", "1,2,3\n")).find("parts are read of files .npy"),
              std::string::npos);
    EXPECT_NE(told(withText("w.raw", "12345678")).find("does not tell its shape"),
              std::string::npos);
    EXPECT_NE(told(withText("w.npy", "x")).find("truncated"), std::string::npos);
}

// From one type into another: read where no number is lost, else refused with both types.
template <class From, class To>
void expectWidened(const Procs1& p, const std::string& file, bool isRead) {
    const BlockRange x(7, p.dim(0));
    const auto written = create<From>(p, x, 3);
    for (auto i : overall(x))
        for (Index j = 0; j < 3; ++j)
            written(i, j) = static_cast<From>(std::is_signed_v<From> ? j - i.global : j + i.global);
    Adlib::write(file, written);
    const auto wider = create<To>(p, CyclicRange(7, p.dim(0)), 3);
    const auto part = create<To>(p, BlockRange(2, p.dim(0)), 2);
    if (!isRead) {
        const std::string told = messageOf([&] { Adlib::read(wider, file); });
        EXPECT_NE(told.find(", the array is 7 x 3 "), std::string::npos) << told;
        return;
    }
    Adlib::read(wider, file);
    for (auto i : overall(wider.rng(0)))
        for (Index j = 0; j < 3; ++j)
            EXPECT_EQ(wider(i, j), static_cast<To>(static_cast<From>(
                                       std::is_signed_v<From> ? j - i.global : j + i.global)))
                << file;
    Adlib::read(part, file, {{5, 2}, {1, 2}});
    for (auto i : overall(part.rng(0)))
        EXPECT_EQ(part(i, 1), static_cast<To>(static_cast<From>(
                                  std::is_signed_v<From> ? -3 - i.global : 7 + i.global)))
            << file;
}

TEST_F(Readers, NumbersThatWiden) {
    const Procs1 p;
    const detail::On on(p);
    for (const char* name : {"w.npy", "w.npz:a", "w.h5:b/a"}) {
        const std::string file = path(name);
        expectWidened<int, long>(p, file, true);
        expectWidened<int, double>(p, file, true);
        expectWidened<float, double>(p, file, true);
        expectWidened<short, float>(p, file, true);
        expectWidened<unsigned char, int>(p, file, true);
        expectWidened<unsigned, unsigned long>(p, file, true);
        expectWidened<unsigned, long>(p, file, true);
        expectWidened<int, float>(p, file, false);
        expectWidened<long, double>(p, file, false);
        expectWidened<double, float>(p, file, false);
        expectWidened<short, unsigned>(p, file, false);
        expectWidened<unsigned, int>(p, file, false);
        expectWidened<float, long>(p, file, false);
        expectWidened<long, int>(p, file, false);
    }
    const auto narrow = create<std::complex<float>>(p, BlockRange(5, p.dim(0)));
    const auto wide = create<std::complex<double>>(p, CyclicRange(5, p.dim(0)));
    for (auto i : overall(narrow.rng(0))) narrow(i) = {1.5F * static_cast<float>(i.global), -2};
    Adlib::write(path("c.npy"), narrow);
    Adlib::read(wide, path("c.npy"));
    for (auto i : overall(wide.rng(0)))
        EXPECT_EQ(wide(i), std::complex<double>(1.5 * static_cast<double>(i.global), -2));
}

// The elements of what a container says that it holds, if these are few.
void readAll(detail::files::DiskFile& file, const detail::files::Container& container) {
    constexpr Index most = 1 << 20;  // bytes
    for (const detail::files::Entry& entry : container.look(file).entries) {
        if (!entry.problem.empty() || entry.array.count() > most / entry.array.number->bytes)
            continue;
        detail::files::Part whole;
        for (const Index extent : entry.array.shape) whole.push_back({0, extent});
        std::vector<char> elements(
            static_cast<std::size_t>(entry.array.count() * entry.array.number->bytes));
        container.elements(file, entry, whole)->read(elements.data(), 0, entry.array.count());
    }
}

// What a reader says of a file, in one process; anything but a crash is right.
bool isRefused(const std::string& path) {
    try {
        detail::files::DiskFile file = detail::files::DiskFile::forReading(path);
        if (const auto inside = detail::files::insideOf(path)) {
            readAll(file, *inside->container);
            return false;
        }
        const detail::files::FileArray found = detail::files::formatOf(path).look(file, nullptr);
        return found.shape.size() > 100;
    } catch (const detail::files::Failure&) {
        return true;
    }
}

// The same in a process apart, for all files until one ends it.
class ReaderApart {
public:
    bool isRefused(const std::string& path) {
        if (!apart_)
            apart_.emplace("a library", [](const std::string& name) {
                return std::string(test::isRefused(name) ? "refused" : "");
            });
        try {
            return !apart_->ask(path, 5).empty();
        } catch (const detail::files::Failure&) {
            apart_.reset();
            ++ended_;
            return true;
        }
    }
    int ended() const { return ended_; }  ///< of its processes

private:
    std::optional<detail::files::Apart> apart_;
    int ended_ = 0;
};

// Cut off, longer, or with other bytes; the k-th of them.
std::string changed(std::string text, int k, std::mt19937& random) {
    if (k % 3 == 0) text.resize(random() % text.size());
    const std::size_t within = k % 2 == 0 ? 150 : text.size();
    for (unsigned n = random() % 5; n > 0 && !text.empty(); --n) {
        const std::size_t at = random() % std::min(std::max<std::size_t>(within, 1), text.size());
        if (random() % 4 == 0)
            text.insert(at, text.substr(random() % text.size(), random() % 40));
        else
            text[at] = static_cast<char>(random() % 3 == 0 ? '0' + random() % 10 : random());
    }
    return text;
}

// In the environment: HPSPMD_ENDING for one format, or one of its files by its name, HPSPMD_SEED
// for other changes.
TEST_F(Readers, RandomChangesAreRefusedOrHarmless) {
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, 12, 9);
    for (Index k = 0; k < 108; ++k) a.data()[k] = static_cast<double>(k) / 7;
    const char *const only = std::getenv("HPSPMD_ENDING"), *const seed = std::getenv("HPSPMD_SEED");
    std::mt19937 random(static_cast<unsigned>(apg().rank() + (seed ? std::atoi(seed) : 0)));
    const int times = timesWanted();
    for (const char* whole : {"a.npy", "a.npz", "a.csv", "a.asc", "a.mtx", "a.png", "a.ppm",
                              "a.pgm", "a.gif", "a.h5", "chunks.h5"}) {
        const std::string ending = std::filesystem::path(whole).extension();
        if (only != nullptr && only != ending && only != std::string(whole)) continue;
        if (std::string(whole) != "chunks.h5") Adlib::write(path(whole), a);
#ifdef H5_VERS_MAJOR
        else if (apg().rank() == 0)
            writeChunked(path(whole), {12, 9}, {5, 4});
#else
        else
            continue;
#endif
        Adlib::broadcast(0);
        const std::string text = contents(whole);
        const std::string name = path("changed" + std::to_string(apg().rank())) + ending;
        ReaderApart apart;
        int refused = 0;
        for (int k = 0; k < 400 * times; ++k) {
            std::ofstream(name, std::ios::binary) << changed(text, k, random);
            refused += ending == ".h5" ? apart.isRefused(name) : isRefused(name);
            std::filesystem::remove(
                name);  // a new one each time: some systems wait for the disk else
        }
        EXPECT_GT(refused, 20) << whole;
        if (apart.ended() > 0)
            std::cout << whole << ": " << apart.ended() << " ended the process that reads\n";
    }
}

// Of text the last number may be shorter where it is cut, and a .png is read before its end says
// that it is there; everything else is refused.
TEST_F(Readers, EachCutIsRefused) {
    if (apg().size() > 1) GTEST_SKIP() << "on one process only";
    const Procs1 p;
    const detail::On on(p);
    const auto a = create<double>(p, BlockRange(12, p.dim(0)), 9);
    for (auto i : overall(a.rng(0)))
        for (Index j = 0; j < 9; ++j) a(i, j) = static_cast<double>(7 * i.global + j);
    for (const char* ending :
         {".npy", ".npz", ".raw", ".csv", ".asc", ".mtx", ".png", ".ppm", ".pgm", ".gif", ".h5"}) {
        const std::string name = std::string("whole") + ending;
        Adlib::write(path(name), a);
        const std::string whole = contents(name);
        const bool isText = std::string(".csv.asc.mtx").find(ending) != std::string::npos;
        const std::size_t atEnd = isText ? 4 : std::string(ending) == ".png" ? 13 : 0;
        const std::size_t cuts = std::min<std::size_t>(512, whole.size());
        for (std::size_t k = 0; k < cuts; ++k) {
            const std::size_t size = k * whole.size() / cuts;
            const std::string file = withText(std::string("cut") + ending, whole.substr(0, size));
            if (size + atEnd > whole.size()) continue;
            EXPECT_NE(messageOf([&] { Adlib::read(a, file); }), "no error")
                << ending << ", " << size << " of " << whole.size() << " bytes";
        }
        Adlib::read(a, path(name));
    }
}

}  // namespace
}  // namespace hpspmd::test
