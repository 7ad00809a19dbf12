// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/measured_range.hpp>
#include <adlib/operand.hpp>

#include <vector>

namespace hpspmd::detail {

/// What the processes tell each other, one value for each coordinate: each gets the combined value
/// of all members of the APG with this coordinate. AdlibError if there is none.
std::vector<double> leastOfEach(const Call& call, const Dimension& d, double own);
double largestOfAll(const Call& call, double own);
/// .. of several values.
std::vector<double> largestOfAll(const Call& call, std::vector<double> own);

/// Elements per second of a loop over memory that does not fit into the inner caches.
double speedOfMemory();

/// True if HPSPMD_SPEEDS names speeds.
bool arePretended();
/// Those of all processes of the job; none if it names none. AdlibError for a wrong list.
std::vector<double> pretendedSpeeds(Where where);

/// The speeds of the coordinates of a dimension; only what they are to each other has a meaning.
/// By HPSPMD_SPEEDS, by the probe over n locations, or by a loop over memory. Collective over the
/// APG.
std::vector<double> speeds(const Call& call, Index n, const Dimension& d, const Probe& probe);

}  // namespace hpspmd::detail
