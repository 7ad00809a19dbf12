// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/overlap.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hpspmd::detail::plan {
namespace {

Index lastGlobal(const Block& block) {
    return block.globalBase + (block.count - 1) * block.globalStep;
}

/// The same elements by rising global index.
Block ascending(Block block) {
    if (block.globalStep > 0 && block.count > 1) return block;
    if (block.count <= 1) {
        block.globalStep = 1;
        return block;
    }
    block.globalBase = lastGlobal(block);
    block.localBase += (block.count - 1) * block.localStep;
    block.globalStep = -block.globalStep;
    block.localStep = -block.localStep;
    return block;
}

std::vector<Block> ascending(std::vector<Block> blocks) {
    std::erase_if(blocks, [](const Block& block) { return block.count <= 0; });
    for (Block& block : blocks) block = ascending(block);
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& a, const Block& b) { return a.globalBase < b.globalBase; });
    return blocks;
}

/// x with a * x = 1 modulo m, for a prime to m (extended Euclid).
Index inverse(Index a, Index m) {
    Index r0 = m, r1 = a % m, x0 = 0, x1 = 1;
    while (r1 != 0) {
        const Index quotient = r0 / r1;
        r0 = std::exchange(r1, r0 - quotient * r1);
        x0 = std::exchange(x1, x0 - quotient * x1);
    }
    return x0 < 0 ? x0 + m : x0;
}

Index modulo(Index value, Index m) {
    const Index rest = value % m;
    return rest < 0 ? rest + m : rest;
}

Index roundedUp(Index value, Index divisor) {
    return value <= 0 ? 0 : (value + divisor - 1) / divisor;
}

/// Both ascending and not empty.
Run<2> common(const Block& to, const Block& from, Index shift) {
    const Index distance = from.globalBase - shift - to.globalBase;
    const Index gcd = std::gcd(to.globalStep, from.globalStep);
    if (distance % gcd != 0) return {};
    const Index period = from.globalStep / gcd;  // of the matches, in elements of `to`
    const __int128 phase = static_cast<__int128>(modulo(distance / gcd, period)) *
                           inverse(to.globalStep / gcd, period);
    const auto residue = static_cast<Index>(phase % period);

    const Index earliest = roundedUp(distance, to.globalStep);
    const Index first = earliest + modulo(residue - earliest, period);
    const Index reach = lastGlobal(from) - shift - to.globalBase;
    const Index last = std::min(to.count - 1, reach < 0 ? -1 : reach / to.globalStep);
    if (first > last) return {};

    const Index partner = (first * to.globalStep - distance) / from.globalStep;
    return {(last - first) / period + 1,
            {to.localBase + first * to.localStep, from.localBase + partner * from.localStep},
            {period * to.localStep, to.globalStep / gcd * from.localStep}};
}

}  // namespace

Run<2> overlap(const Block& to, const Block& from, Index shift) {
    if (to.count <= 0 || from.count <= 0) return {};
    return common(ascending(to), ascending(from), shift);
}

Runs<2> overlaps(const std::vector<Block>& to, const std::vector<Block>& from, Index shift) {
    const std::vector<Block> left = ascending(to), right = ascending(from);
    Runs<2> result;
    for (auto t = left.begin(), f = right.begin(); t != left.end() && f != right.end();) {
        if (const Run<2> run = common(*t, *f, shift); run.count > 0) result.push_back(run);
        if (lastGlobal(*t) < lastGlobal(*f) - shift)
            ++t;
        else
            ++f;
    }
    return result;
}

}  // namespace hpspmd::detail::plan
