// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/observe.hpp>

namespace hpspmd::detail::transport {

/// Lives while messages are composed or unpacked, perhaps in the middle of a wait, which an
/// observer is told.
class WorkInWait {
public:
    WorkInWait() {
        if (observer != nullptr && observer->wants().waits) observer->waitPauses();
    }
    ~WorkInWait() {
        if (observer != nullptr && observer->wants().waits) observer->waitResumes();
    }
    WorkInWait(const WorkInWait&) = delete;
    WorkInWait& operator=(const WorkInWait&) = delete;
};

}  // namespace hpspmd::detail::transport
