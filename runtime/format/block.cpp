// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/ranges.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hpspmd {
namespace {

class BlockFormat : public detail::Format {
public:
    BlockFormat(Index n, int p) : Format(n, p), size_(n == 0 ? 0 : (n - 1) / p + 1) {}

    const char* name() const override { return "BlockRange"; }
    Index shell() const override { return size_; }
    detail::Place locate(Index n) const override {
        return {static_cast<int>(n / size_), n % size_};
    }
    Block block(int crd, Index) const override {
        const Index first = std::min(size_ * crd, extent());
        return {std::min(size_, extent() - first), first, 1, 0, 1};
    }
    detail::Coordinates holders(const detail::Progression& locations) const override {
        return orderedHolders(locations);
    }

private:
    Index size_;
};

Range make(const char* range, Index n, const Dimension& d, Index lo, Index hi,
           detail::Where where) {
    detail::checkedExtent(n, range, where);
    detail::checkedExtent(lo, range, where);
    detail::checkedExtent(hi, range, where);
    return detail::makeRange(std::make_unique<BlockFormat>(n, static_cast<int>(d.size(where))), d,
                             lo, hi);
}

/// For hpcc test --ranges: a right program gives the same answer with every distribution.
bool areDealtRound() {
    static const bool are = [] {
        const char* const ranges = std::getenv("HPSPMD_RANGES");
        return ranges != nullptr && std::strcmp(ranges, "cyclic") == 0;
    }();
    return are;
}

}  // namespace

BlockRange::BlockRange(Index n, const Dimension& d, detail::Where where)
    : Range(areDealtRound() ? CyclicRange(n, d, where) : make("BlockRange", n, d, 0, 0, where)) {}

ExtBlockRange::ExtBlockRange(Index n, const Dimension& d, Index lo, Index hi, detail::Where where)
    : Range(make("ExtBlockRange", n, d, lo, hi, where)) {}

}  // namespace hpspmd
