// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Steps of an elimination, several in one sweep over the rows. hpcc -O3 emits calls of
/// afterPivots().

#include <adlib/alone.hpp>
#include <hpspmd/nest.hpp>

namespace hpspmd::detail {

/// Step k of an elimination changes the elements k .. lastColumn of the rows k + 1 .. lastRow, and
/// has copied the elements of row k up to lastCopied.
struct PivotEnds {
    Index lastRow, lastColumn, lastCopied;

    PivotEnds(Index row, Index column, Index copied)
        : lastRow(row), lastColumn(column), lastCopied(copied) {}
};

/// The rows of a matrix that this process holds whole, without ghost cells.
struct HeldRows {
    double* start = nullptr;  ///< of row 0; null if they are not so
    Index stride = 0;
    double* operator[](Index i) const { return start + i * stride; }
};

/// The rows, if the steps first .. last are ones of this process alone, and none raises an error.
template <class Rows, class Columns, class Slot>
HeldRows heldForPivots(const Array<double, Rows, Columns>& a, const Array<double, Slot>& row,
                       const BorrowedRange& x, const Reach& pivots, const PivotEnds& ends,
                       Where where) {
    const Run run(x);
    const HeldRow<double> copy = heldRow(row);
    const bool isCovered = pivots.lo >= 0 && pivots.hi <= ends.lastRow &&
                           ends.lastColumn >= pivots.hi && ends.lastCopied >= ends.lastColumn &&
                           ends.lastCopied < a.size(1) && ends.lastRow < x.size();
    if (!isCovered || !run || !run.isDense() || !run.isEven() || copy.start == nullptr ||
        copy.step != 1 || copy.count != a.size(1) || row.ghosts() != nullptr ||
        a.ghosts() != nullptr)
        return {};
    const Storage* const storage = a.storage();
    const bool isWhole =
        run.last - run.first + 1 == x.size() && a.size(0) == x.size() && run.global(run.first) == 0;
    if (storage == nullptr || storage->mirror != nullptr || !isWhole || !disjoint(a, row) ||
        !isSurelyContained(a.groupRecord()) ||
        !ready(a, {over(x), reached({Reach(pivots.lo, ends.lastColumn)})}) ||
        !ready(row, {reached({Reach(pivots.lo, ends.lastColumn)})}, {x}) ||
        !entersAlone("remap", where))
        return {};
    return {a.data() + a.stride(0) * run.first, a.stride(0)};
}

/// Takes the pivots k - count .. k - 1 out of the elements of a row in front of k, each out of
/// those that the pivots behind it start from. Calls `use` with what takes all of them, in their
/// order, out of an element behind these. (That refers to the steps: copies of these would be
/// stored in parts and loaded as a whole, for which processors wait.)
template <int count, class Steps, class Use, class... Taken>
[[gnu::always_inline]] inline void takeFromHead(const HeldRows& a, double* row, Index k,
                                                const Steps& steps, const Use& use,
                                                const Taken&... taken) {
    if constexpr (count == 0) {
        use([&](const auto& operands) __attribute__((always_inline)) {
            auto own = operands.at(row);
            ((own = taken(operands, own)), ...);
            return own;
        });
    } else {
        const Index pivot = k - count;
        const auto step = steps(pivot, row, a[pivot]);
        for (Index j = pivot + 1; j < k; ++j) row[j] = step(SingleOperand{j}, row[j]);
        takeFromHead<count - 1>(a, row, k, steps, use, taken..., step);
    }
}

/// Takes the pivots k - count .. k - 1 out of a row.
template <int count, class Steps>
[[gnu::always_inline]] inline void takePivots(const HeldRows& a, double* row, Index k, Index last,
                                              const Steps& steps) {
    takeFromHead<count>(
        a, row, k, steps, [&](const auto& left) __attribute__((always_inline)) {
            eachInParts(row, k, last, left);
        });
}

/// The same with two rows, so that the elements of the pivots' rows are loaded once for both.
template <int count, class Steps>
[[gnu::always_inline]] inline void takePivots(const HeldRows& a, double* row, double* other,
                                              Index k, Index last, const Steps& steps) {
    takeFromHead<count>(
        a, row, k, steps, [&](const auto& left) __attribute__((always_inline)) {
            takeFromHead<count>(
                a, other, k, steps, [&](const auto& leftOfOther) __attribute__((always_inline)) {
                    eachInParts(
                        rowsOf(row, other), k,
                        last, [&](const auto& operands) __attribute__((always_inline)) {
                            return ofEachRow(left(operands), leftOfOther(operands));
                        });
                });
        });
}

/// Does the first steps of an elimination, four at a time, so that a row is loaded and stored once
/// for them, and returns the first of the others, of which there is one if there are any steps:
///
///     for (k = first; k <= last; ++k) {
///         Adlib::remap(row, a[[k, :]]);
///         overall (i = x for k + 1 : lastRow) {
///             const auto step = steps(k, row i, row k);
///             for (j = k + 1; j <= lastColumn; ++j) a[i, j] = step(operands of j, a[i, j]);
///         }
///     }
///
/// `endsOf` gives the last row and column, where there are several steps. `steps` changes no
/// element but a[i, k], and reads no others of row i; `step` reads none of it. So each element has
/// the same value as without. None of several processes.
template <class K, class Rows, class Columns, class Slot, class Ends, class Steps>
K afterPivots(const Array<double, Rows, Columns>& a, const Array<double, Slot>& row,
              const BorrowedRange& x, Index first, Index last, const Ends& endsOf,
              const Steps& steps, Where where = Where::here()) {
    constexpr int count = 4;
    if (last - first < count) return static_cast<K>(first);
    const PivotEnds ends = endsOf();
    const HeldRows rows = heldForPivots(a, row, x, Reach(first, last), ends, where);
    if (rows.start == nullptr) return static_cast<K>(first);
    const auto ofK = [&](Index pivot, double* own, const double* of) {
        return steps(static_cast<K>(pivot), own, of);
    };
    Index k = first;
    for (; k + count <= last; k += count) {
        for (int c = 1; c < count; ++c)
            for (Index i = k + c; i < k + count; ++i)
                takePivots<1>(rows, rows[i], k + c, ends.lastColumn, ofK);
        Index i = k + count;
        for (; i < ends.lastRow; i += 2)
            takePivots<count>(rows, rows[i], rows[i + 1], k + count, ends.lastColumn, ofK);
        if (i == ends.lastRow) takePivots<count>(rows, rows[i], k + count, ends.lastColumn, ofK);
        for (int c = 0; c < count; ++c) row.data()[k + c] = rows[k + c][k + c];
    }
    return static_cast<K>(k);
}

}  // namespace hpspmd::detail
