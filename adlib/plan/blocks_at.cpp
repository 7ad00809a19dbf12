// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/pairing.hpp"

namespace hpspmd::detail::plan {

std::vector<Block> blocksAt(const Range& x, int coordinate, Index first, Index last) {
    std::vector<Block> result;
    if (last < first) return result;
    for (const Block& block : x.blocks(coordinate, first, last))
        if (block.count > 0) result.push_back(block);
    return result;
}

std::vector<Block> blocksAt(const Range& x, int coordinate) {
    return blocksAt(x, coordinate, 0, x.size() - 1);
}

}  // namespace hpspmd::detail::plan
