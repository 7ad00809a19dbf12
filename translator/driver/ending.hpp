// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <functional>

#include <signal.h>
#include <sys/types.h>

namespace hpcc::driver {

/// From now on nothing unfinished stays, however hpcc ends:
/// * by a signal (SIGINT, SIGTERM, SIGHUP ..): it ends the command that runs, and then dies of the
///   same signal;
/// * without memory, or with a stack that is too small: a message and the code for errors;
/// * by a mistake of its own: a message and the code for internal errors.
/// A pipe that nobody reads any more and a file that may not grow end nothing; the write fails.
void watchTheEnd();

/// The signals that hpcc ignores, but that its caller does not.
sigset_t ignoredOnlyHere();

/// A file or a folder, with all that lies in it, that goes when this object goes or hpcc ends.
class Unfinished {
public:
    Unfinished() = default;
    ~Unfinished() { remove(); }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    /// `create` makes the file or folder; no end of hpcc comes between. What `create` returns.
    int make(const std::filesystem::path& path, const std::function<int()>& create);

    /// `finish` moves it to where it stays; what that returns.
    int keep(const std::function<int()>& finish);

    void remove();

private:
    int slot_ = -1;
};

/// While a command runs, it and all that it starts form a process group of their own, which ends
/// before hpcc does.
class RunningCommand {
public:
    /// `start` returns an error number or 0, having set the process that leads the group.
    explicit RunningCommand(const std::function<int(pid_t&, const sigset_t& mask)>& start);
    ~RunningCommand();
    RunningCommand(const RunningCommand&) = delete;
    RunningCommand& operator=(const RunningCommand&) = delete;

    int error() const { return error_; }  ///< 0 if it runs
    int exitStatus();                     ///< waits; 128 + n if signal n ended it

private:
    pid_t leader_ = 0;
    int error_ = 0;
};

}  // namespace hpcc::driver
