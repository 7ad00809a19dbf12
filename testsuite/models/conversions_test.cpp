// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Containers and multiarrays are taken as they are: neither views of them nor patterns over them
/// convert or copy elements. Counted are all bytes that are allocated meanwhile, for which a copy
/// of the elements would have no room.

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <hpspmd/patterns.hpp>
#include <hpspmd>
#include <new>
#include <vector>

#include "arena.hpp"

namespace {

std::atomic<std::size_t> allocated{0};

void* counted(std::size_t bytes) {
    allocated += bytes;
    if (void* const memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hpspmd::test {
namespace {

using detail::On;
using patterns::map;
using patterns::reduce;
using patterns::zip;

constexpr Index n = 200000;
constexpr std::size_t little = 20000;  // bytes: an eightieth of the elements of one array

/// Bytes that f() allocates for good or for a while, and those of arrays that it makes.
std::size_t bytesOf(const std::function<void()>& f) {
    const std::size_t arrays = detail::arenaBytesInUse(), before = allocated;
    f();
    return allocated - before + (detail::arenaBytesInUse() - arrays);
}

TEST(Conversions, CopiesAreCounted) {
    const std::vector<double> a(n);
    EXPECT_GE(bytesOf([&] { EXPECT_EQ(std::vector<double>(a).size(), a.size()); }),
              n * sizeof(double));
    const Procs1 p;
    const On on(p);
    Array<double, Seq> made;
    EXPECT_GE(bytesOf([&] { made = create<double>(apg(), n); }), n * sizeof(double));
}

TEST(Conversions, ADividedViewHasTheElementsOfTheContainer) {
    const Procs1 p;
    const On on(p);
    const Range x = whole(BlockRange(n, p.dim(0)));
    std::vector<double> v(n);
    static std::array<float, n> a;
    static int c[n];
    const Array<double, Seq> g = create<double>(apg(), n);
    EXPECT_LT(bytesOf([&] {
                  EXPECT_EQ(divide(v, x).data(), v.data());
                  EXPECT_EQ(divide(a, x).data(), a.data());
                  EXPECT_EQ(divide(c, x).data(), c);
                  EXPECT_EQ(divide(g, x).data(), g.data());
              }),
              little);
}

TEST(Conversions, PatternsTakeContainersAsTheyAre) {
    const std::vector<double> a(n, 2), b(n, 3);
    std::vector<double> r(n), s(n);
    double sum = 0;
    EXPECT_LT(bytesOf([&] {
                  map([](double x, double y) { return 2 * x + y; }).into(r, a, b);
                  map([](double x) { return x + 1; }).into(s, r);
                  map([](double x, double y) {
                      return std::tuple(x * y, x - y);
                  }).into(std::tie(r, s), a, b);
                  sum = (zip | map([](double x, double y) { return x * y; }) |
                         reduce(std::plus<>(), 0.0))(a, b);
              }),
              little);
    EXPECT_EQ(r.back(), 6);
    EXPECT_EQ(s.front(), -1);
    EXPECT_EQ(sum, 6.0 * n);
}

TEST(Conversions, PatternsTakeMultiarraysAsTheyAre) {
    const Procs1 p;
    const On on(p);
    const BlockRange x(n, p.dim(0));
    const Array<double, Dist> a = create<double>(apg(), x), b = create<double>(apg(), x),
                              r = create<double>(apg(), x);
    const Array<double, Seq> c = create<double>(apg(), n), d = create<double>(apg(), n);
    double sum = 0;
    EXPECT_LT(bytesOf([&] {
                  map([](double v) { return v + 1; }).into(a, a);
                  map([](double v, double w) {
                      return std::tuple(v + w, v + 2);
                  }).into(std::tie(r, b), a, b);
                  map([](double v) { return v + 4; }).into(d, c);
                  sum = (map([](double v, double w) { return v * w; }) |
                         reduce(std::plus<>(), 0.0))(r, b);
              }),
              little);
    EXPECT_EQ(sum, 3.0 * n);
}

}  // namespace
}  // namespace hpspmd::test
