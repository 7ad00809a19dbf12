// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/dimension_schedule.hpp>
#include <algorithm>
#include <cstring>
#include <hpspmd/error.hpp>
#include <hpspmd/ghosts.hpp>

#include "checks/checks.hpp"
#include "plan/layout.hpp"
#include "schedule/cache.hpp"
#include "schedule/kept.hpp"
#include "schedule/local_rows.hpp"
#include "schedule/pack.hpp"
#include "transport/combine.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {

/// The results of this process on their way to those of the others.
struct Travelling {
    transport::Elements elements;  ///< one result where it lies, or all of them in the room
    bool isUnderWay = false;
    std::vector<char> room;
    transport::Combination combination;
    KeptArrays kept;

    char* roomFor(std::size_t bytes) {
        if (room.size() < bytes) room.resize(bytes);
        return room.data();
    }
    /// Completes it; nothing if nothing is under way.
    void complete() {
        if (std::exchange(isUnderWay, false)) combination.finish();
        kept.release();
    }
};

class DimensionRows final : public Prepared {
public:
    plan::Product<rowPlaces> elements;    ///< of the results, the arrays, the mask; index along d
    std::array<plan::Region, 2> results;  ///< the results' elements on this process
    bool isSingle = false;  ///< one result, side by side, each of one element of this process
    Group line;             ///< the processes along the reduced dimension
    plan::Origin origin = {};
    Fingerprint fingerprint = 0;  ///< of the call but its name
    KeptKey key;
    Travelling travelling;  ///< of a schedule that has been started

    /// Completes what is under way: so do the other processes.
    ~DimensionRows() override {
        transport::completeAtEnd([this] { travelling.complete(); });
    }
};

void DeleteDimensionRows::operator()(DimensionRows* rows) const { delete rows; }

namespace {

Key keyOf(const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    Key key(Kind::DimensionReduction);
    for (int k = 0; k < operands.count; ++k) key.add(operands.list[k].layout);
    for (int k = 0; k < reduction.results; ++k)
        key.add(static_cast<Index>(operands.list[k].elementSize));
    key.add(reduction.d).add(reduction.results).add(operands.wantsIndex);
    return key;
}

/// True if the elements of each row go to results that lie side by side.
bool writesSideBySide(const plan::Product<rowPlaces>& elements) {
    if (elements.dims.size() != 1) return false;
    const auto& runs = elements.dims[0];
    return std::all_of(runs.begin(), runs.end(),
                       [](const auto& run) { return run.count == 1 || run.step[0] == 1; });
}

std::unique_ptr<DimensionRows> checkedRows(const Call& call, const Key& key,
                                           const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    const int d = reduction.d;
    const Operand& array = operands.list[reduction.results];
    requireDimension(call, array, d);
    requireContained(call, array);
    std::array<plan::Walk, rowPlaces> walks = restingWalks(array.layout.rank);
    for (int k = 0; k < operands.count; ++k) {
        const Operand& operand = operands.list[k];
        if (k < reduction.results) {
            requireAlignedWithout(call, operand, array, d);
            walks[k] = plan::memoryWithout(operand.layout, d);
        } else {
            requireAligned(call, array, operand);
            walks[k] = plan::memory(operand.layout);
        }
    }
    if (operands.wantsIndex) walks[indexPlace].perGlobal[d] = 1;

    auto rows = std::make_unique<DimensionRows>();
    rows->fingerprint = key.fingerprint();
    rows->key = KeptKey(key);
    rows->elements = simplified(plan::localElements<rowPlaces>(array.layout, ownRank(), walks));
    for (int k = 0; k < reduction.results; ++k) {
        const Descriptor& result = operands.list[k].layout;
        rows->results[k] =
            simplified(plan::localElements<1>(result, ownRank(), {plan::memory(result)}));
    }
    rows->isSingle = reduction.results == 1 && isContiguous(rows->results[0]) &&
                     rows->elements.count() == rows->results[0].count() &&
                     writesSideBySide(rows->elements);
    rows->line = plan::processesAlong(array.layout, d);
    rows->origin = plan::originOf("reduce", {array.layout}, {d});
    return rows;
}

/// Room for so many bytes, the same at each call.
char* room(std::size_t bytes) {
    static auto& values = *new std::vector<char>;
    if (values.size() < bytes) values.resize(bytes);
    return values.data();
}

/// `count` copies of a value, side by side.
void repeat(char* values, const void* value, std::size_t size, std::size_t count) {
    const std::size_t bytes = count * size;
    if (bytes == 0) return;
    std::memcpy(values, value, size);
    for (std::size_t done = size; done < bytes; done *= 2)
        std::memcpy(values + done, values, std::min(done, bytes - done));
}

char* begin(const Operand& array, const plan::Region& elements) {
    return static_cast<char*>(array.data) +
           elements.offset[0] * static_cast<Index>(array.elementSize);
}

void fill(const Operand& array, const plan::Region& elements, const void* value) {
    const auto count = static_cast<std::size_t>(elements.count());
    if (isContiguous(elements))
        return repeat(begin(array, elements), value, array.elementSize, count);
    char* const values = room(count * array.elementSize);
    repeat(values, value, array.elementSize, count);
    unpack(array.data, values, elements, array.elementSize);
}

/// Elements number first .. first + count - 1 of a row.
Row part(const Row& row, const Operands& operands, Index first, Index count) {
    Row some = row;
    for (int k = 0; k < operands.count; ++k)
        some.start[k] += first * row.step[k] * static_cast<Index>(operands.list[k].elementSize);
    some.index += first * row.indexStep;
    some.count = count;
    return some;
}

/// The results of single elements: piece by piece, so that they are written once.
void reduceSingle(const DimensionRows& rows, const DimensionReduction& reduction) {
    constexpr Index piece = 1024;
    const Operands& operands = reduction.operands;
    const std::size_t size = operands.list[0].elementSize;
    forEachOperandRow(rows.elements, operands, [&](const Row& row) {
        for (Index first = 0; first < row.count; first += piece) {
            const Index count = std::min(piece, row.count - first);
            const Row some = part(row, operands, first, count);
            repeat(some.start[0], reduction.identity[0], size, static_cast<std::size_t>(count));
            reduction.take(const_cast<void*>(reduction.combiner.context), some);
        }
    });
}

/// The results of this process's elements alone.
void reduceLocally(const DimensionRows& rows, const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    if (reduction.folded != nullptr) {
        const Operand& result = operands.list[0];
        unpack(result.data, static_cast<const char*>(reduction.folded), rows.results[0],
               result.elementSize);
        return;
    }
    if (rows.isSingle) return reduceSingle(rows, reduction);
    for (int k = 0; k < reduction.results; ++k)
        fill(operands.list[k], rows.results[k], reduction.identity[k]);
    forEachOperandRow(rows.elements, operands, [&](const Row& row) {
        reduction.take(const_cast<void*>(reduction.combiner.context), row);
    });
}

/// True if the results travel from where they lie.
bool areInPlace(const DimensionRows& rows, const DimensionReduction& reduction) {
    return reduction.results == 1 && isContiguous(rows.results[0]);
}

transport::Elements packed(const DimensionRows& rows, const DimensionReduction& reduction,
                           Travelling& travelling) {
    const auto& operands = reduction.operands.list;
    const auto count = static_cast<std::size_t>(rows.results[0].count());
    if (areInPlace(rows, reduction))
        return {begin(operands[0], rows.results[0]), operands[0].elementSize, count};
    std::size_t bytes = 0;
    for (int k = 0; k < reduction.results; ++k)
        bytes += rows.results[k].count() * operands[k].elementSize;
    char* const values = travelling.roomFor(bytes);
    char* out = values;
    for (int k = 0; k < reduction.results; ++k)
        out = pack(out, operands[k].data, rows.results[k], operands[k].elementSize);
    if (reduction.results == 1) return {values, operands[0].elementSize, count};
    return {values, bytes, 1};
}

/// What observers are told, also where the line has one process, as elsewhere it has more.
Communication communicationOf(const DimensionRows& rows, const DimensionReduction& reduction) {
    std::size_t size = 0;  // of the results of one element
    for (int k = 0; k < reduction.results; ++k) size += reduction.operands.list[k].elementSize;
    return {"reduce", rows.origin.text, nullptr, size, static_cast<std::size_t>(reduction.results)};
}

void start(Travelling& travelling, const DimensionRows& rows, const Call& call,
           const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    const Entered entered = enter(call.name, apg(), rows.fingerprint, call.where);
    for (int k = 0; k < reduction.results; ++k) markWritten(operands.list[k].layout);
    if (!operands.list[0].layout.group.amMember()) return;
    reduceLocally(rows, reduction);
    const Communication told = communicationOf(rows, reduction);
    if (rows.line.size() == 1) return transport::observe(told);
    travelling.elements = packed(rows, reduction, travelling);
    travelling.isUnderWay = true;
    travelling.combination.start(entered, rows.line, travelling.elements, reduction.combiner, told);
}

void finish(Travelling& travelling, const DimensionRows& rows,
            const DimensionReduction& reduction) {
    const bool haveTravelled = travelling.isUnderWay;
    travelling.complete();
    if (!haveTravelled || areInPlace(rows, reduction)) return;
    const char* in = travelling.elements.begin;
    for (int k = 0; k < reduction.results; ++k) {
        const Operand& result = reduction.operands.list[k];
        in = unpack(result.data, in, rows.results[k], result.elementSize);
    }
}

}  // namespace

void requireDisjointResults(const Call& call, const DimensionReduction& reduction) {
    const Operands& operands = reduction.operands;
    for (int result = 0; result < reduction.results; ++result)
        for (int k = result + 1; k < operands.count; ++k)
            requireDisjoint(call, operands.list[result], operands.list[k]);
}

DimensionRowsHandle makeDimensionRows(const Call& call, const DimensionReduction& reduction) {
    requireDisjointResults(call, reduction);
    return DimensionRowsHandle(checkedRows(call, keyOf(reduction), reduction).release());
}

void requireRowsOf(const DimensionRows& rows, const Call& call,
                   const DimensionReduction& reduction) {
    if (rows.key != keyOf(reduction)) raiseOtherLayouts(call);
    requireDisjointResults(call, reduction);
}

void startDimension(DimensionRows& rows, const Call& call, const DimensionReduction& reduction) {
    start(rows.travelling, rows, call, reduction);
    for (int k = 0; k < reduction.results; ++k)
        rows.travelling.kept.keep(reduction.operands.list[k]);
}

void finishDimension(DimensionRows& rows, const DimensionReduction& reduction) {
    finish(rows.travelling, rows, reduction);
}

void reduceDimension(const DimensionRows& rows, const Call& call,
                     const DimensionReduction& reduction) {
    static auto& travelling = *new Travelling;
    start(travelling, rows, call, reduction);
    finish(travelling, rows, reduction);
    for (int k = 0; k < reduction.results; ++k)
        observeWritten(call.name, call.where, reduction.operands.list[k]);
}

void reduceDimension(const Call& call, const DimensionReduction& reduction) {
    const Key key = keyOf(reduction);
    const DimensionRows& rows =
        cached<DimensionRows>(apg(), key, [&] { return checkedRows(call, key, reduction); });
    requireDisjointResults(call, reduction);
    reduceDimension(rows, call, reduction);
}

}  // namespace hpspmd::detail
