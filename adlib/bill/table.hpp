// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>

#include "bill/run.hpp"

namespace hpspmd::bill {

/// What a run has sent, by line and by collective, and whether that is what the plans say. `own`:
/// prices on the run's own number of processes.
std::string billOf(const Run& run, const Prices& own);

/// Time, messages and bytes on other numbers of processes.
std::string whatIf(const Run& run, const Prices& own, const std::deque<Prices>& others);

/// Both, as JSON: "lines": [{file line what executions messages bytes planned others}]. A price is
/// {processes messages bytes seconds exact}, or {processes reason}.
std::string jsonOf(const Run& run, const Prices& own, const std::deque<Prices>& others);

}  // namespace hpspmd::bill
