#include <adlib/dimension_reduction.hpp>
#include <cstring>

#include "checks/checks.hpp"
#include "schedule/cache.hpp"
#include "schedule/local_rows.hpp"
#include "schedule/pack.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {

class DimensionRows final : public Prepared {
public:
    DimensionRows(plan::Product<rowPlaces> elements, plan::Region result, const Group& line)
        : elements(std::move(elements)), result(std::move(result)), line(line) {}

    const plan::Product<rowPlaces> elements;  ///< of the result, the array, the mask
    const plan::Region result;                ///< the result's elements on this process
    const Group line;                         ///< the processes along the reduced dimension
};

void DeleteDimensionRows::operator()(DimensionRows* rows) const { delete rows; }

namespace {

/// The members of the array's group that differ from this one in the process dimension of d only.
Group processesAlong(const Descriptor& array, int d) {
    Group line = array.group;
    if (!line.amMember()) return line;
    for (const Dimension& other : freeDimensions(line))
        if (other != array[d].range.dim()) line = restrict(line, other, other.crd());
    return line;
}

std::unique_ptr<DimensionRows> checkedRows(const Call& call, const Operands& operands, int d) {
    const Operand& result = operands.list[0];
    const Operand& array = operands.list[1];
    requireDimension(call, array, d);
    requireAlignedWithout(call, result, array, d);
    requireContained(call, array);
    std::array<plan::Walk, rowPlaces> walks = restingWalks(array.layout.rank);
    walks[0] = plan::memoryWithout(result.layout, d);
    for (int k = 1; k < operands.count; ++k) {
        requireAligned(call, array, operands.list[k]);
        walks[k] = plan::memory(operands.list[k].layout);
    }
    return std::make_unique<DimensionRows>(
        simplified(plan::localElements<rowPlaces>(array.layout, ownRank(), walks)),
        simplified(plan::localElements<1>(result.layout, ownRank(), {plan::memory(result.layout)})),
        processesAlong(array.layout, d));
}

void fill(const Operand& array, const plan::Region& elements, const void* value) {
    const std::size_t size = array.elementSize;
    std::vector<char> values(elements.count() * size);
    for (std::size_t at = 0; at < values.size(); at += size)
        std::memcpy(values.data() + at, value, size);
    unpack(array.data, values.data(), elements, size);
}

}  // namespace

DimensionRowsHandle makeDimensionRows(const Call& call, const Operands& operands, int d) {
    return DimensionRowsHandle(checkedRows(call, operands, d).release());
}

void reduceDimension(DimensionRows& rows, const DimensionReduction& reduction) {
    const Operand& result = reduction.operands.list[0];
    if (!result.layout.group.amMember()) return;
    fill(result, rows.result, reduction.identity);
    forEachOperandRow(rows.elements, reduction.operands,
                      [&](const Row& row) { reduction.take(nullptr, row); });
    if (rows.line.size() == 1) return;
    std::vector<char> values(rows.result.count() * result.elementSize);
    pack(values.data(), result.data, rows.result, result.elementSize);
    transport::combine(rows.line, values.data(), values.size(), reduction.combiner);
    unpack(result.data, values.data(), rows.result, result.elementSize);
}

void reduceDimension(const Call& call, const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    Key key(Kind::DimensionReduction);
    for (int k = 0; k < operands.count; ++k) key.add(operands.list[k].layout);
    key.add(reduction.d);
    DimensionRows& rows =
        cached<DimensionRows>(apg(), key, [&] { return checkedRows(call, operands, reduction.d); });
    for (int k = 1; k < operands.count; ++k)
        requireDisjoint(call, operands.list[0], operands.list[k]);
    reduceDimension(rows, reduction);
}

}  // namespace hpspmd::detail
