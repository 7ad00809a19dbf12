// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../range_registry.hpp"

namespace hpspmd::detail {
namespace {

class DimensionFormat : public Format {
public:
    explicit DimensionFormat(int p) : Format(p, p) {}

    const char* name() const override { return "Dimension"; }
    Index shell() const override { return 1; }
    Place locate(Index n) const override { return {static_cast<int>(n), 0}; }
    Block block(int crd, Index) const override { return {1, crd, 1, 0, 1}; }
    Coordinates holders(const Progression& locations) const override {
        return orderedHolders(locations);
    }
};

}  // namespace

void describeDimension(DimensionRecord& d) {
    const Range range =
        internRange(std::make_unique<DimensionFormat>(d.size), {nullptr, &d, 0, 1, d.size, 0, 0});
    d.range = range.record();
    d.range->keep();  // for ever
}

Dimension collapsedDimension() {
    static DimensionRecord& record = *[] {
        auto* d = new DimensionRecord;
        describeDimension(*d);
        return d;
    }();
    return Dimension(record);
}

}  // namespace hpspmd::detail
