// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/reduction_schedule.hpp>

#include "checks/checks.hpp"
#include "device_reduction.hpp"
#include "plan/layout.hpp"
#include "schedule/cache.hpp"
#include "schedule/local_rows.hpp"
#include "transport/combine.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {

/// Places 0 .. 3 are the operands, place 4 the row-major index.
class LocalRows final : public Prepared {
public:
    LocalRows(plan::Product<rowPlaces> rows, const Key& key)
        : rows(std::move(rows)), fingerprint(key.fingerprint()), key(key) {}

    const plan::Product<rowPlaces> rows;
    const Fingerprint fingerprint;  // of the operands
    const KeptKey key;
};

void DeleteRows::operator()(LocalRows* rows) const { delete rows; }

class ReductionUnderWay {
public:
    /// Completes what is under way: so do the other processes.
    ~ReductionUnderWay() {
        transport::completeAtEnd([this] { finish(); });
    }

    void start(const Entered& entered, const transport::Elements& elements,
               const Combiner& combiner) {
        isBusy_ = true;
        combination_.start(entered, apg(), elements, combiner);
    }
    void finish() {
        if (std::exchange(isBusy_, false)) combination_.finish();
    }

private:
    transport::Combination combination_;
    bool isBusy_ = false;
};

void DeleteReduction::operator()(ReductionUnderWay* reduction) const { delete reduction; }
ReductionHandle makeReduction() { return ReductionHandle(new ReductionUnderWay); }

namespace {

Key keyOf(const Operands& operands) {
    Key key(Kind::Reduction);
    for (int k = 0; k < operands.count; ++k) key.add(operands.list[k].layout);
    key.add(operands.wantsIndex);
    return key;
}

plan::Product<rowPlaces> rowsOf(const Operands& operands, int process) {
    const Descriptor& array = operands.list[0].layout;
    std::array<plan::Walk, rowPlaces> walks = restingWalks(array.rank);
    for (int k = 0; k < operands.count; ++k) walks[k] = plan::memory(operands.list[k].layout);
    if (operands.wantsIndex) walks[indexPlace] = plan::rowMajorIndex(array);
    return simplified(plan::localElements<rowPlaces>(array, process, walks));
}

std::unique_ptr<LocalRows> checkedRows(const Call& call, const Key& key, const Operands& operands) {
    const Operand& array = operands.list[0];
    requireContained(call, array);
    for (int k = 0; k < operands.count; ++k) requireAligned(call, array, operands.list[k]);
    const bool counts = plan::Layout(array.layout).isFirstCopy(ownRank());
    return std::make_unique<LocalRows>(rowsOf(operands, counts ? ownRank() : -1), key);
}

}  // namespace

RowsHandle makeRows(const Call& call, const Operands& operands) {
    return RowsHandle(checkedRows(call, keyOf(operands), operands).release());
}

void requireRowsOf(const LocalRows& rows, const Call& call, const Operands& operands) {
    if (rows.key != keyOf(operands)) raiseOtherLayouts(call);
}

void reduceRows(const LocalRows& rows, const Call& call, const Operands& operands,
                const Accumulator& accumulator) {
    static auto& reduction = *new ReductionUnderWay;
    startReduction(reduction, rows, call, operands, accumulator);
    finishReduction(reduction);
}

void startReduction(ReductionUnderWay& reduction, const LocalRows& rows, const Call& call,
                    const Operands& operands, const Accumulator& accumulator) {
    if (!reducedOnDevice(rows.rows, call, operands, accumulator)) {
        for (int k = 0; k < operands.count; ++k)
            bringHome(operands.list[k].storage, Use::Reads, call.where);
        forEachOperandRow(rows.rows, operands,
                          [&](const Row& row) { accumulator.take(accumulator.state, row); });
    }
    const Entered entered =
        enter(call.name, apg(), mixed(rows.fingerprint, accumulator.bytes), call.where);
    reduction.start(entered, {static_cast<char*>(accumulator.state), accumulator.bytes, 1},
                    accumulator.combiner);
}

void finishReduction(ReductionUnderWay& reduction) { reduction.finish(); }

void reduceArrays(const Call& call, const Operands& operands, const Accumulator& accumulator) {
    const Key key = keyOf(operands);
    const LocalRows& rows =
        cached<LocalRows>(apg(), key, [&] { return checkedRows(call, key, operands); });
    reduceRows(rows, call, operands, accumulator);
}

void visitRows(const Operands& operands, TakeRow take) {
    forEachOperandRow(rowsOf(operands, ownRank()), operands,
                      [&](const Row& row) { take(nullptr, row); });
}

void combineOverApg(const Call& call, void* state, std::size_t bytes, const Combiner& combiner) {
    const Entered entered = enter(call.name, apg(), mixed(0, bytes), call.where);
    if (entered.group->size == 1 && observer == nullptr) return;
    transport::combine(entered, apg(), {static_cast<char*>(state), bytes, 1}, combiner);
}

void combineOverRanges(const Call& call, const std::vector<Range>& ranges, void* state,
                       std::size_t bytes, const Combiner& combiner) {
    Fingerprint plan = mixed(0, bytes);
    for (const Range& x : ranges) plan = mixed(plan, x.record()->fingerprint);
    const Entered entered = enter(call.name, apg(), plan, call.where);
    Group along = apg();
    for (const Dimension& d : freeDimensions(along)) {
        bool reduced = false;
        for (const Range& x : ranges) reduced |= x.dim() == d;
        if (!reduced) along = restrict(along, d, d.crd());
    }
    transport::combine(entered, along, {static_cast<char*>(state), bytes, 1}, combiner);
}

}  // namespace hpspmd::detail
