// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

#include <algorithm>

namespace hpspmd {
namespace {

// Block q of b locations lies on coordinate q % P, as that coordinate's block q / P.
class BlockCyclicFormat : public detail::Format {
public:
    BlockCyclicFormat(Index n, int p, Index b)
        : Format(n, p), b_(b), blocks_(n == 0 ? 0 : (n - 1) / b + 1) {}

    const char* name() const override { return "BlockCyclicRange"; }
    std::vector<Index> parameters() const override { return {b_}; }
    Index shell() const override {
        if (processes() == 1) return extent();
        return rounds() == 1 ? std::min(b_, extent()) : rounds() * b_;
    }
    detail::Place locate(Index n) const override {
        const Index q = n / b_;
        return {static_cast<int>(q % processes()), q / processes() * b_ + n % b_};
    }
    Index blockCount(int crd) const override {
        if (processes() == 1) return 1;
        return std::max<Index>(1, (blocks_ - crd + processes() - 1) / processes());
    }
    bool isEven() const override { return true; }
    Block block(int crd, Index k) const override {
        if (processes() == 1) return {extent(), 0, 1, 0, 1};
        const Index q = k * processes() + crd;
        if (q >= blocks_) return {0, extent(), 1, 0, 1};
        return {std::min(b_, extent() - q * b_), q * b_, 1, k * b_, 1};
    }

private:
    Index rounds() const { return (blocks_ + processes() - 1) / processes(); }

    Index b_;
    Index blocks_;
};

std::unique_ptr<detail::Format> make(Index n, const Dimension& d, Index b, detail::Where where) {
    detail::checkedExtent(n, "BlockCyclicRange", where);
    if (detail::checkedExtent(b, "BlockCyclicRange", where) == 0)
        throw BadExtent("BlockCyclicRange with blocks of 0 locations", where);
    return std::make_unique<BlockCyclicFormat>(n, static_cast<int>(d.size(where)), b);
}

}  // namespace

BlockCyclicRange::BlockCyclicRange(Index n, const Dimension& d, Index b, detail::Where where)
    : Range(detail::makeRange(make(n, d, b, where), d, 0, 0)) {}

}  // namespace hpspmd
