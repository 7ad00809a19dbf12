// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../range_registry.hpp"

#include <hpspmd/ranges.hpp>

namespace hpspmd {
namespace {

class CollapsedFormat : public detail::Format {
public:
    explicit CollapsedFormat(Index n) : Format(n, 1) {}

    const char* name() const override { return "CollapsedRange"; }
    Index shell() const override { return extent(); }
    detail::Place locate(Index n) const override { return {0, n}; }
    Block block(int, Index) const override { return {extent(), 0, 1, 0, 1}; }
};

}  // namespace

CollapsedRange::CollapsedRange(Index n, detail::Where where)
    : Range(detail::makeRange(
          std::make_unique<CollapsedFormat>(detail::checkedExtent(n, "CollapsedRange", where)),
          detail::collapsedDimension(), 0, 0)) {}

}  // namespace hpspmd
