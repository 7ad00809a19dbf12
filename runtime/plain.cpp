// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/plain.hpp>

#include "compose.hpp"

#include <hpspmd/error.hpp>

namespace hpspmd::detail {

NextBlock nextBlock(const Blocks& blocks, Index number) {
    while (++number < blocks.size()) {
        const Block block = blocks[number];
        if (block.count > 0) return {block, number};
    }
    return {Block(), number};
}

void raiseNoRun(BorrowedRange x, Index blocks, Where where) {
    throw SeveralBlocks(compose("run() of ", describe(x), ": this process holds ",
                                blocks > 1 ? compose(blocks, " blocks of it")
                                           : std::string("locations of it with slots between them"),
                                "; use overall()"),
                        where);
}

}  // namespace hpspmd::detail
