// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call whose schedule is cached allocates nothing.

#include <gtest/gtest.h>

#include <cstdlib>
#include <hpspmd>
#include <new>

namespace {
long allocations = 0;
}

// Not inlined: valgrind replaces operators that it finds, and they must remain pairs.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace hpspmd::test {
namespace {

TEST(Allocations, NoneInCallsWithACachedSchedule) {
    const Procs2 p;
    const detail::On on(p);
    const ExtBlockRange x(40, p.dim(0)), y(40, p.dim(1));
    const auto a = create<double>(p, x, y), b = create<double>(p, x, y);
    const auto column = create<double>(p, x);
    const auto amounts = create<int>(p, x);
    const auto calls = [&] {
        Adlib::writeHalo(a);
        Adlib::writeHalo(a, {1, 0}, {1, 1}, {Adlib::Cyclic, Adlib::Edge});
        Adlib::cshift(b, a, 3, 1);
        Adlib::remap(a, b);
        Adlib::cskew(b, a, amounts, 1);
        Adlib::sumDim(column, a, 1);
    };
    for (int warm = 0; warm < 2; ++warm) calls();
    const long before = allocations;
    for (int k = 0; k < 10; ++k) calls();
    EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace hpspmd::test
