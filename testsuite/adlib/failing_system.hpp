// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// A disk that fails: calls of the system for files of one folder, also those of libraries that are
/// loaded later, fail where a test wants it.

#include <string>

namespace hpspmd::test {

/// From its begin to its end call `number` (from 1) of open for writing, pwrite, pwritev, write,
/// fsync, rename and close for a file of the folder fails with `error`; of a write half of its
/// bytes come through before. `isLasting`: all later writes as well, as on a full disk.
class FailingCalls {
public:
    FailingCalls(const std::string& folder, int number, int error, bool isLasting);
    ~FailingCalls();
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;

    /// True if the call came.
    bool hasFailed() const;
};

}  // namespace hpspmd::test
