// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How many rows of a range each device of the process and the host run, by the target or measured.

#include <hpspmd/device/nest_run.hpp>

#include <cstddef>
#include <vector>

namespace hpspmd::detail {

class Backend;
class MeasuredShares;

/// The rows that the process holds, cut.
struct CutRows {
    std::vector<Index> ends;          // behind the part of each device; the host has the rest
    MeasuredShares* timed = nullptr;  // if the parts are to run one after the other, and be timed
};

/// For a nest that begins. `percent` is that of shareAt(): so many hundredths on the devices, in
/// equal parts, or isMeasured(). Measured shares are those of all nests over so many rows; of
/// those over less than half of the rows nothing is measured.
CutRows cutRows(const OutermostLoop& outermost, int percent, const std::vector<Backend*>& devices,
                const Site& site);

/// Times one part after the other. Devices have done what they have to do before and behind it.
class PartClock {
public:
    void start(MeasuredShares* shares, Backend* device);
    /// The part of that number has run so many iterations; the next one begins.
    void stop(std::size_t part, Index iterations, Backend* device);

private:
    MeasuredShares* shares_ = nullptr;
    double start_ = 0;
};

}  // namespace hpspmd::detail
