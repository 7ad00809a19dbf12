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

/// What MPICH and srun say of how processes end. The code of srun is none of this: it tells the
/// signal by which Slurm ends all processes after MPI_Abort, or the others after one has failed.
class ToldCodes {
public:
    void read(const std::string& piece);
    /// The worst code that a process ended with, or 128 + the signal that ended the first one, if
    /// the others told nothing but that it has died; 0: none was told.
    int code() const;
    /// The signal that ended a process as MPICH's launcher tells it, whose own code is its number;
    /// 0: none.
    int signalOfMpich() const { return signalOfMpich_; }

private:
    void readLine();

    std::string line_;  ///< begun
    int worst_ = 0, firstSignal_ = 0, signalOfMpich_ = 0;
    bool isDeathTold_ = false;
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
