// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plain C++ compiled with HPSPMD_NO_ELEMENT_CHECKS: the same elements, and no questions.

#include "pretend.hpp"

#include <hpspmd/plain.hpp>

namespace hpspmd::test {
namespace {

TEST(Unchecked, AccessesRaiseNothing) {
    const Pretend world(6, 4);
    const Procs2 p(2, 3);
    const detail::Activate in(p);
    const ExtBlockRange x(8, p.dim(0), 1, 2);
    const Array<double, Dist, Seq> a = create<double>(p, x, 5);
    const auto u = local(a);
    for (auto i : overall(x)) {
        EXPECT_EQ(&u(i, 4), a.data() + a.stride(0) * i.sub + 4);
        EXPECT_EQ(&u.row(i)(4), &a(i, 4));
    }
    const DistributedIndex i = *overall(x).begin();
    EXPECT_NO_THROW(static_cast<void>(&a(i - 1, 5)));
    EXPECT_NO_THROW(static_cast<void>(&u(i + 3, 0)));
    EXPECT_THROW(overall(x, 0, 8), OutOfBounds);
}

}  // namespace
}  // namespace hpspmd::test
