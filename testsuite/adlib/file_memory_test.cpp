// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of writing and reading: at most that of the array and 64 MiB more in each process. A copy
/// of the process's part of the array, which is larger, would be seen.

#include <sys/resource.h>

#include <cstdio>
#include <hpspmd/plain.hpp>

#include "files_folder.hpp"

namespace hpspmd::test {
namespace {

constexpr Index mebibyte = 1 << 20, more = 64 * mebibyte, partBytes = 96 * mebibyte;

/// Memory of other processes that this one sees: a share of the pages that several have in common.
Index shared() {
    std::ifstream in("/proc/self/smaps_rollup");
    Index resident = 0, share = 0;
    for (std::string name; in >> name; in.ignore(1000, '\n')) {
        if (name == "Rss:") in >> resident;
        if (name == "Pss:") in >> share;
    }
    return (resident - share) * 1024;
}

/// Largest memory in use since startAgain(), but for what is shared() now.
Index mostMemory() {
    rusage used;
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss * 1024 - shared();
}

/// False where the system does not allow it.
bool startAgain() { return (std::ofstream("/proc/self/clear_refs") << 5 << std::flush).good(); }

class FileMemory : public Files {
protected:
    /// Writes an array, or reads what is in another file.
    void stays(const Range& x, const Range& y, const std::string& name,
               const std::string& from = {}) {
        Adlib::sum(0.0);
        if (!Adlib::sum(startAgain() ? 0 : 1)) return measure(x, y, name, from);
        GTEST_SKIP() << "the system does not forget the most memory in use";
    }

private:
    const Index before_ = mostMemory();

    static double valueAt(Index i, Index j) { return static_cast<double>(i * 4096 + j); }

    void measure(const Range& x, const Range& y, const std::string& name, const std::string& from) {
        const auto a = create<double>(apg(), x, y);
        const auto forEach = [&](auto action) {
            for (auto i : overall(x))
                for (auto j : overall(y)) action(a(i, j), valueAt(i.global, j.global));
        };
        if (from.empty()) {
            forEach([](double& element, double value) { element = value; });
            Adlib::write(path(name), a);
        }
        forEach([](double& element, double) { element = -1; });
        Adlib::read(a, path(from.empty() ? name : from));
        Index wrong = 0;
        forEach([&](double element, double value) { wrong += element != value; });
        EXPECT_EQ(wrong, 0) << name;

        Adlib::sum(0.0);  // all have what they share
        const Index extra = mostMemory() - before_ - partBytes;
        EXPECT_LE(extra, more) << name;
        // Programs that come and go share a few MiB of libraries with this one.
        EXPECT_GE(extra, -partBytes / 4) << name << ": the array itself was not seen";
        if (detail::ownRank() == 0)
            std::printf("%s: the array, %ld MiB, and %.1f MiB; of others %.1f MiB\n", name.c_str(),
                        static_cast<long>(partBytes / mebibyte),
                        static_cast<double>(extra) / mebibyte,
                        static_cast<double>(shared()) / mebibyte);
        Adlib::sum(0.0);
    }
};

TEST_F(FileMemory, IsThatOfTheArrayAndALittleMore) {
    const Procs1 p;
    const detail::On on(p);
    const Index columns = 4096, rows = partBytes / 8 / columns * p.size();
    const BlockRange x(rows, p.dim(0));
    const CollapsedRange all(columns);
    stays(x, all, "rows.npy");
    stays(x, all, "rows.h5");
    stays(CollapsedRange(rows), CyclicRange(columns, p.dim(0)), "read cyclic", "rows.npy");
    stays(CollapsedRange(rows), CyclicRange(columns, p.dim(0)), "cyclic.h5");
}

}  // namespace
}  // namespace hpspmd::test
