// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/part_arrays.hpp"

#include <algorithm>

namespace hpspmd::detail {

PartArray::PartArray(const Taken& taken, Where nest)
    : mirror(mirrorOf(taken.storage, nest)),
      slots(taken.storage == nullptr ? 0 : taken.storage->slots),
      use(taken.use),
      rows(taken.rows) {
    rows.areKnown = rows.areKnown && rows.stride > 0;
}

RowStretch PartArray::slotsOf(const RowPart& part, const Shifts& shifts) const {
    if (!rows.areKnown) return {0, slots};
    if (part.first > part.last) return {};
    const Index row = rows.offset >= 0 ? rows.offset / rows.stride
                                       : -((rows.stride - 1 - rows.offset) / rows.stride);
    const RowStretch reached{(row + part.first + shifts.lo) * rows.stride,
                             (row + part.last + shifts.hi + 1) * rows.stride};
    return reached.cut({0, slots});
}

std::vector<PartArray> arraysOf(const DividedNest& nest) {
    std::vector<PartArray> arrays;
    for (const Taken* each = nest.begin; each != nest.end; ++each) {
        arrays.emplace_back(*each, nest.site.where);
        if (arrays.back().mirror == nullptr || each->storage->staysHome) return {};
    }
    return arrays;
}

bool areIndependent(const std::vector<PartArray>& arrays, const std::vector<DevicePart>& parts) {
    for (const PartArray& one : arrays)
        for (const PartArray& other : arrays) {
            if (one.mirror != other.mirror) continue;
            for (std::size_t p = 0; p < parts.size(); ++p)
                for (std::size_t q = 0; q < parts.size(); ++q)
                    if (p != q &&
                        !one.writtenBy(parts[p].rows).cut(other.writtenBy(parts[q].rows)).isEmpty())
                        return false;
        }
    return true;
}

bool areSplit(const std::vector<PartArray>& arrays) {
    return std::all_of(arrays.begin(), arrays.end(),
                       [](const PartArray& each) { return each.mirror->isSplit(); });
}

bool areRead(const std::vector<PartArray>& arrays, const DevicePart& part, Where nest) {
    if (part.rows.first > part.rows.last) return true;
    return std::all_of(arrays.begin(), arrays.end(), [&](const PartArray& each) {
        const RowStretch rows = each.reachedBy(part.rows);
        return each.mirror->rowsTo(part.device, rows.joined(each.writtenBy(part.rows)), nest);
    });
}

void noteWritten(const std::vector<PartArray>& arrays, const DevicePart& part) {
    if (part.rows.first > part.rows.last) return;
    for (const PartArray& each : arrays)
        if (const RowStretch rows = each.writtenBy(part.rows); !rows.isEmpty())
            each.mirror->rowsWritten(part.device, rows);
}

}  // namespace hpspmd::detail
