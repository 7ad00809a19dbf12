// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What kernel texts know of ranges, as plain data.

#include <hpspmd/where.hpp>

namespace hpspmd::kernels {

/// Local subscripts first, first + step, .. last of a range, and of what of the range they are a
/// part: the global indices low, low + scale, .. high that the process holds. The step stands in
/// the loop; it is 1 for another scale.
struct Run {
    Index first, last;
    Index origin;  ///< of local subscript 0, as a global index
    Index low, high;
    Index scale = 1;
};

/// Of an array; in the text for a device an int if all offsets into the arrays of a launch are.
struct Stride {
    Index value;
    operator Index() const { return value; }
};

/// What a run of all of a range holds of its [l : u : s].
inline Run part(Run run, Index l, Index u, Index s) {
    run.first = l;
    if (l < run.low) run.first = s == 1 ? run.low : l + (run.low - l + s - 1) / s * s;
    run.last = u < run.high ? u : run.high;
    run.first -= run.origin;
    run.last -= run.origin;
    if (run.scale != 1) {
        run.first = (run.first + run.scale - 1) / run.scale;
        run.last = run.last < 0 ? -1 : run.last / run.scale;
    }
    return run;
}

}  // namespace hpspmd::kernels
