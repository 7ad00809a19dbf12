// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/set_boundary.hpp>
#include <hpspmd/environment.hpp>

#include "plan/pairing.hpp"

namespace hpspmd::detail {
namespace {

/// A slot of one dimension.
struct Slot {
    Index global, offset;
    bool isOutside;  ///< beyond an end of the range
};
using SlotList = std::vector<Slot>;

/// The elements of a dimension on this process, with their ghost cells if there are elements.
SlotList slotsOf(const Map& map) {
    SlotList slots;
    const Range& x = map.range;
    const int own = coordinate(x.dim(), ownRank());
    for (const Block& block : plan::blocksAt(x, own))
        for (Index k = -x.loExtension(); k < block.count + x.hiExtension(); ++k) {
            const Index global = block.globalBase + k * block.globalStep;
            slots.push_back({global, (block.localBase + k * block.localStep) * map.stride,
                             global < 0 || global >= x.size()});
        }
    return slots;
}

class Walker {
public:
    Walker(const Operand& array, const CellVisitor& visitor) : visitor_(visitor) {
        for (const Map& map : array.layout) dims_.push_back(slotsOf(map));
        for (std::size_t r = 0; r < dims_.size(); ++r)
            for (const Slot& slot : dims_[r])
                if (slot.isOutside) lastGhosted_ = static_cast<int>(r);
        global_.resize(dims_.size());
    }

    /// The cells with the slots chosen in dimensions below r; only what can still get outside.
    void walk(int r, Index offset, bool isOutside) {
        if (!isOutside && r > lastGhosted_) return;
        if (r == static_cast<int>(dims_.size())) {
            visitor_.visit(visitor_.context, offset, global_.data());
            return;
        }
        for (const Slot& slot : dims_[r]) {
            if (!isOutside && !slot.isOutside && r == lastGhosted_) continue;
            global_[r] = slot.global;
            walk(r + 1, offset + slot.offset, isOutside || slot.isOutside);
        }
    }

private:
    const CellVisitor& visitor_;
    std::vector<SlotList> dims_;
    std::vector<Index> global_;
    int lastGhosted_ = -1;  // the last dimension with slots outside
};

}  // namespace

void forEachBoundaryCell(const Operand& array, const CellVisitor& visitor) {
    if (array.data != nullptr) Walker(array, visitor).walk(0, 0, false);
}

}  // namespace hpspmd::detail
