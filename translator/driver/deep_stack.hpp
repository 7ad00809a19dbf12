#pragma once

#include <functional>

namespace hpcc::driver {

/// Calls `body` on a thread with a stack for trees tens of thousands of levels deep (untouched
/// pages cost nothing), because every walk over a tree recurses. What `body` throws is thrown here.
void onDeepStack(const std::function<void()>& body);

}  // namespace hpcc::driver
