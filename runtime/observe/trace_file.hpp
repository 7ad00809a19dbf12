// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The file of a trace, JSON as Chrome and Perfetto (ui.perfetto.dev) show it: what each process
/// has done when. Times are microseconds since the first process started.

#include "observe/events.hpp"
#include "observe/recorded.hpp"
#include "observe/ticks.hpp"

#include <string>

namespace hpspmd::detail {

/// A file of a job that has not come to its end. IoError.
void beginTrace(const std::string& path);

/// Collective over the job; process 0 writes. `own` tells the sites of the events. IoError.
void writeTrace(const std::string& path, const RecordedProcess& own, const Events& events,
                const Ticks& ticks);

/// What this process alone has recorded: the job is ended by an error.
void writeOwnTrace(const std::string& path, const RecordedProcess& own, const Events& events,
                   const Ticks& ticks);

}  // namespace hpspmd::detail
