// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/ranges.hpp>

#include <numeric>

namespace hpspmd {
namespace {

class CyclicFormat : public detail::Format {
public:
    using Format::Format;

    const char* name() const override { return "CyclicRange"; }
    Index shell() const override { return (extent() + processes() - 1) / processes(); }
    detail::Place locate(Index n) const override {
        return {static_cast<int>(n % processes()), n / processes()};
    }
    Block block(int crd, Index) const override {
        return {(extent() - crd + processes() - 1) / processes(), crd, processes(), 0, 1};
    }
    // The coordinates first, first + step, .. (mod P) are congruent modulo gcd(step, P).
    detail::Coordinates holders(const detail::Progression& locations) const override {
        const Index common = std::gcd(locations.step, Index{processes()});
        return {static_cast<int>(locations.first % common), processes() - 1,
                static_cast<int>(common)};
    }
};

}  // namespace

CyclicRange::CyclicRange(Index n, const Dimension& d, detail::Where where)
    : Range(detail::makeRange(
          std::make_unique<CyclicFormat>(detail::checkedExtent(n, "CyclicRange", where),
                                         static_cast<int>(d.size(where))),
          d, 0, 0)) {}

}  // namespace hpspmd
