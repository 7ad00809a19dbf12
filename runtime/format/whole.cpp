// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"

#include <hpspmd/error.hpp>
#include <hpspmd/ranges.hpp>

#include <string>

namespace hpspmd {
namespace {

// The coordinates and blocks of another format, in the slots of all locations.
class WholeFormat : public detail::Format {
public:
    explicit WholeFormat(const Range& x) : WholeFormat(x, *x.record()->format) {}

    const char* name() const override { return name_.c_str(); }
    std::vector<Index> parameters() const override { return divided_.parameters(); }
    bool isWhole() const override { return true; }
    Index shell() const override { return extent(); }
    detail::Place locate(Index n) const override { return {divided_.locate(n).crd, n}; }
    Index blockCount(int crd) const override { return divided_.blockCount(crd); }
    Block block(int crd, Index k) const override {
        const Block block = divided_.block(crd, k);
        return {block.count, block.globalBase, block.globalStep, block.globalBase,
                block.globalStep};
    }
    detail::Coordinates holders(const detail::Progression& locations) const override {
        return divided_.holders(locations);
    }

private:
    WholeFormat(const Range& x, const detail::Format& divided)
        : Format(divided.extent(), divided.processes()),
          kept_(x),
          divided_(divided),
          name_(std::string("whole ") + divided.name()) {}

    Range kept_;  // which has the format
    const detail::Format& divided_;
    std::string name_;
};

}  // namespace

Range whole(const Range& x, detail::Where where) {
    const detail::RangeRecord& record = *x.record();
    if (detail::isCollapsed(x) || record.isWhole) return x;
    const bool isAll =
        record.base == 0 && record.stride == 1 && record.extent == record.format->extent();
    if (!isAll)
        throw BadExtent(detail::compose("whole(): ", detail::describe(x), " is a subrange"), where);
    return detail::makeRange(std::make_unique<WholeFormat>(x), x.dim(), 0, 0);
}

}  // namespace hpspmd
