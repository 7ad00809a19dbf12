// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A range class of a user's own, as small as they come: what adding a distribution format takes.

#include <hpspmd>

namespace hpspmd::test {

/// Dealt to and fro: coordinates 0, 1, .., P-1, P-1, .., 1, 0, 0, 1, .. Local subscript g / P.
class SnakeFormat : public detail::Format {
public:
    using Format::Format;

    const char* name() const override { return "SnakeRange"; }
    Index shell() const override { return (extent() + processes() - 1) / processes(); }
    detail::Place locate(Index n) const override {
        const Index round = n / processes(), turn = n % processes();
        return {static_cast<int>(round % 2 == 0 ? turn : processes() - 1 - turn), round};
    }
    // The steps alternate, so every location is a block of its own.
    Index blockCount(int crd) const override {
        const Index full = extent() / processes();
        const bool more = full * processes() < extent() && locationOf(crd, full) < extent();
        return std::max<Index>(1, full + more);
    }
    Block block(int crd, Index k) const override {
        return {locationOf(crd, k) < extent() ? 1 : 0, locationOf(crd, k), 1, k, 1};
    }

private:
    Index locationOf(int crd, Index round) const {
        return round * processes() + (round % 2 == 0 ? crd : processes() - 1 - crd);
    }
};

class SnakeRange : public Range {
public:
    SnakeRange(Index n, const Dimension& d)
        : Range(detail::makeRange(std::make_unique<SnakeFormat>(n, static_cast<int>(d.size())), d,
                                  0, 0)) {}
};

}  // namespace hpspmd::test
