// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads with a stack for trees tens of thousands of levels deep (untouched pages cost nothing),
// because every walk over a tree recurses. What the work of a thread throws is thrown to the
// caller.
#pragma once

#include <functional>
#include <vector>

namespace hpcc::threads {

/// Does the work on such a thread.
void onDeepStack(const std::function<void()>& work);

/// Does all of it, each part on a thread of its own; the last on the caller's. Where the system
/// gives no more threads, one after the other.
void together(const std::vector<std::function<void()>>& works);

}  // namespace hpcc::threads
