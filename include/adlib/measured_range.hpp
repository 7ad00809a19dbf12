// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// MeasuredRange, blocks in proportion to how fast the processes are.

#include <hpspmd/ranges.hpp>

#include <functional>

namespace hpspmd {
namespace detail {

/// Runs the program's work once for the locations that a process holds of a range.
using Probe = std::function<void(const Range& x)>;

}  // namespace detail

/// An IrregRange of n locations with blocks in proportion to the speeds of the processes of a
/// dimension, for a cluster of different nodes. With `lo` ghost cells below and `hi` above each
/// block. If no two speeds differ by more than a tenth, the blocks are equal.
///
///     const MeasuredRange x(n, p.dim(0), 1, 1);
///     const MeasuredRange x(n, p.dim(0), [&](const Range& x) { .. });    // times the own work
///
/// The speed of a process is that of a small loop over memory, measured once per run: ranges of one
/// extent that are made without a probe are equal. `probe(x)` is called twice, with equal blocks,
/// and the second call counts; it works on what this process holds of x and does not communicate.
/// The environment variable HPSPMD_SPEEDS names the speeds, "1,2,0.5", one for each process of the
/// job, in place of measurements.
///
/// Collective over the APG, which holds the grid of d. Of the processes with one coordinate the
/// slowest counts. BadExtent; AdlibError for wrong speeds, or if a coordinate of d has no process
/// in the APG.
class MeasuredRange : public Range {
public:
    MeasuredRange(Index n, const Dimension& d, detail::Where where = detail::Where::here())
        : MeasuredRange(n, d, 0, 0, detail::Probe(), where) {}
    MeasuredRange(Index n, const Dimension& d, Index lo, Index hi,
                  detail::Where where = detail::Where::here())
        : MeasuredRange(n, d, lo, hi, detail::Probe(), where) {}
    MeasuredRange(Index n, const Dimension& d, const detail::Probe& probe,
                  detail::Where where = detail::Where::here())
        : MeasuredRange(n, d, 0, 0, probe, where) {}
    MeasuredRange(Index n, const Dimension& d, Index lo, Index hi, const detail::Probe& probe,
                  detail::Where where = detail::Where::here());
};

}  // namespace hpspmd
