// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/nest.hpp>

namespace hpspmd::detail {

Block Run::generalPart(BorrowedRange x, Bound l, Bound u, Index s, Where where) {
    return x.localBlocks(l, u, s, where).front();
}

}  // namespace hpspmd::detail
