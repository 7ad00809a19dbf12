// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "driver/run_options.hpp"

namespace hpcc::driver {

/// The files that a run is to record itself in. What stands there from another run goes before.
class RecordFiles {
public:
    /// Adds the variables that ask the program for them.
    explicit RecordFiles(RunOptions& run);
    ~RecordFiles();
    RecordFiles(const RecordFiles&) = delete;
    RecordFiles& operator=(const RecordFiles&) = delete;

    /// When the job has ended: the table of the profile, and what is missing, on stderr.
    void show() const;

private:
    std::string profile_, trace_;
    bool isTemporary_ = false;
};

}  // namespace hpcc::driver
