// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compressed chunks of .h5 files that are larger than what HDF5 keeps by itself (1 MiB): each is
/// decompressed once, not once for each piece of it that is read. The calls of zlib are counted.

#include "files/hdf5_library.hpp"

#ifdef H5_VERS_MAJOR

#include <dlfcn.h>
#include <sys/mman.h>

#include <atomic>
#include <hpspmd/plain.hpp>

#include "chunked_file.hpp"
#include "files/disk_file.hpp"
#include "files_folder.hpp"

namespace {

/// Also of the children that read for this process.
std::atomic<int>& decompressed() {
    static auto* const count =
        new (::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<int>(0);
    return *count;
}

}  // namespace

/// The executable's own one stands before that of zlib, which HDF5 calls for each chunk.
extern "C" int inflateInit_(void* stream, const char* version, int size) {
    using Function = int(void*, const char*, int);
    static auto* const zlib =
        reinterpret_cast<Function*>(::dlsym(::dlopen("libz.so.1", RTLD_LAZY), "inflateInit_"));
    ++decompressed();
    return zlib(stream, version, size);
}

namespace hpspmd::test {
namespace {

using namespace detail::files;

constexpr Index rows = 1024, columns = 1024;

class Chunks : public Files {
protected:
    /// Processes have rows each: of those that two share both decompress it.
    void areDecompressedOnce(Index height, Index width) const {
        if (apg().rank() == 0) writeChunked(path("chunks.h5"), {rows, columns}, {height, width});
        const Procs1 p;
        const detail::On on(p);
        const auto a = create<double>(p, BlockRange(rows, p.dim(0)), columns);
        Adlib::broadcast(0);
        decompressed() = 0;
        Adlib::read(a, path("chunks.h5"));
        for (auto i : overall(a.rng(0)))
            for (Index j = 0; j < columns; ++j)
                ASSERT_EQ(a(i, j), static_cast<double>(i.global * columns + j));
        const Index beside = columns / width, chunks = rows / height * beside;
        const int count = Adlib::sum(decompressed().load());
        EXPECT_GE(count, chunks) << "the calls are not counted";
        EXPECT_LE(count, chunks + (p.size() - 1) * beside);
    }
};

TEST_F(Chunks, AreDecompressedOnce) {
    try {
        hdf::hdf5();
    } catch (const Failure& failure) {
        GTEST_SKIP() << failure.what();
    }
    areDecompressedOnce(256, columns);  // 2 MiB
    areDecompressedOnce(rows, columns / 4);
    areDecompressedOnce(256, columns / 8);  // 256 KiB, of which 8 stand side by side
}

}  // namespace
}  // namespace hpspmd::test

#endif
