#include <adlib/reduction.hpp>

#include "checks/checks.hpp"
#include "plan/layout.hpp"
#include "schedule/cache.hpp"
#include "schedule/local_rows.hpp"
#include "transport/combine.hpp"

namespace hpspmd::detail {

/// Places 0 .. 3 are the operands, place 4 the row-major index.
class LocalRows final : public Prepared {
public:
    explicit LocalRows(plan::Product<rowPlaces> rows) : rows(std::move(rows)) {}

    const plan::Product<rowPlaces> rows;
};

void DeleteRows::operator()(LocalRows* rows) const { delete rows; }

namespace {

std::unique_ptr<LocalRows> checkedRows(const Call& call, const Operands& operands) {
    const Operand& array = operands.list[0];
    requireContained(call, array);
    std::array<plan::Walk, rowPlaces> walks = restingWalks(array.layout.rank);
    for (int k = 0; k < operands.count; ++k) {
        requireAligned(call, array, operands.list[k]);
        walks[k] = plan::memory(operands.list[k].layout);
    }
    if (operands.wantsIndex) walks[indexPlace] = plan::rowMajorIndex(array.layout);
    const bool counts = plan::Layout(array.layout).isFirstCopy(ownRank());
    const auto rows = plan::localElements<rowPlaces>(array.layout, counts ? ownRank() : -1, walks);
    return std::make_unique<LocalRows>(simplified(rows));
}

}  // namespace

RowsHandle makeRows(const Call& call, const Operands& operands) {
    return RowsHandle(checkedRows(call, operands).release());
}

void reduceRows(const LocalRows& rows, const Operands& operands, const Accumulator& accumulator) {
    forEachOperandRow(rows.rows, operands,
                      [&](const Row& row) { accumulator.take(accumulator.state, row); });
    combineOverApg(accumulator.state, accumulator.bytes, accumulator.combiner);
}

void reduceArrays(const Call& call, const Operands& operands, const Accumulator& accumulator) {
    Key key(Kind::Reduction);
    for (int k = 0; k < operands.count; ++k) key.add(operands.list[k].layout);
    key.add(operands.wantsIndex);
    const LocalRows& rows =
        cached<LocalRows>(apg(), key, [&] { return checkedRows(call, operands); });
    reduceRows(rows, operands, accumulator);
}

void combineOverApg(void* state, std::size_t bytes, const Combiner& combiner) {
    transport::combine(apg(), state, bytes, combiner);
}

void combineOverRanges(const std::vector<Range>& ranges, void* state, std::size_t bytes,
                       const Combiner& combiner) {
    Group along = apg();
    for (const Dimension& d : freeDimensions(along)) {
        bool reduced = false;
        for (const Range& x : ranges) reduced |= x.dim() == d;
        if (!reduced) along = restrict(along, d, d.crd());
    }
    transport::combine(along, state, bytes, combiner);
}

}  // namespace hpspmd::detail
