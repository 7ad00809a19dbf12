// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../range_registry.hpp"

#include <hpspmd/ranges.hpp>

#include <array>
#include <atomic>

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

/// A section of a `*` dimension asks for one: those that live as long as the process are found
/// without making a format.
Range collapsed(Index n, detail::Where where) {
    static std::array<std::atomic<const detail::RangeRecord*>, 256> recent{};
    auto& place = recent[static_cast<std::size_t>(n) % recent.size()];
    const detail::RangeRecord* const known = place.load(std::memory_order_acquire);
    if (known != nullptr && known->extent == n) return Range(known);
    const Range result = detail::makeRange(
        std::make_unique<CollapsedFormat>(detail::checkedExtent(n, "CollapsedRange", where)),
        detail::collapsedDimension(), 0, 0);
    if (!result.record()->isCounted) place.store(result.record(), std::memory_order_release);
    return result;
}

}  // namespace

CollapsedRange::CollapsedRange(Index n, detail::Where where) : Range(collapsed(n, where)) {}

}  // namespace hpspmd
