// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "invariance/compare.hpp"
#include "invariance/elements.hpp"
#include "invariance/jobs.hpp"

namespace hpspmd::invariance {

/// "prog.hpcpp:41, 3rd execution: the nest writes 'b'", and the line of the source.
std::string describeEvent(const Options& options, const Event& event, const Told& told);

/// "b[7, 12] = 3.25 on 1 process, 3.5 on 4 processes ..", and how many elements differ.
std::string describeElements(const std::string& name, const ElementDifference& difference,
                             const Setting& reference, const Setting& other);

/// What could not be compared.
std::string describeUnevenness(const Comparison& comparison, const Witness& reference,
                               const Witness& other, const Setting& first, const Setting& second);

}  // namespace hpspmd::invariance
