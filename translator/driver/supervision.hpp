// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "driver/run_options.hpp"

namespace hpcc::driver {

/// Runs a job, `start` in a process of its own, as often as the options say; the exit code of the
/// last job. A job that takes too long is ended (124); SIGTERM is handed on to the program as
/// SIGUSR1 where it may write checkpoints (143).
int supervise(const std::function<int()>& start, const RunOptions& options);

/// What MPICH and srun say of the codes with which processes end. The code of srun is none of
/// these: it tells the signal by which Slurm ends all processes after MPI_Abort, or the others
/// after one has failed.
class ToldCodes {
public:
    void read(const std::string& piece);
    int worst() const { return worst_; }  ///< 0: none was told

private:
    void readLine();

    std::string line_;  ///< begun
    int worst_ = 0;
};

/// Where the launcher talks about the end of a job, not the program: takes its lines away.
class WithoutBanner {
public:
    /// What of a piece of output is the program's.
    std::string filtered(const std::string& piece);
    std::string rest();  ///< at the end

private:
    bool isBannerLine(const std::string& line);

    std::string line_;        ///< begun
    bool isPassing_ = false;  ///< what is begun is shown already
    bool isInside_ = false;
};

}  // namespace hpcc::driver
