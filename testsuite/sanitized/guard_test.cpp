// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// AddressSanitizer knows where the elements of an array begin and end.

#include <gtest/gtest.h>

#include <hpspmd>

#include <sanitizer/asan_interface.h>

namespace hpspmd::test {
namespace {

TEST(Guard, StandsAroundTheElements) {
    const Procs1 p;
    const ExtBlockRange x(10, p.dim(0), 1, 1);
    const void* before = nullptr;
    {
        const auto a = create<double>(p, x, 3);
        const double* const first = a.data() - a.stride(0);
        const double* const behind = first + a.stride(0) * x.volume();
        for (const double* element = first; element < behind; ++element)
            ASSERT_FALSE(__asan_address_is_poisoned(element));
        EXPECT_TRUE(__asan_address_is_poisoned(behind));
        EXPECT_TRUE(__asan_address_is_poisoned(behind + 7));
        before = behind;
    }
    EXPECT_FALSE(__asan_address_is_poisoned(before));
}

}  // namespace
}  // namespace hpspmd::test
