// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/supervision.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <memory>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "driver/slurm.hpp"

namespace hpcc::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int timedOut = 124, stopped = 143, mpiFailed = 86;
constexpr double patience = 3;  // seconds from the request to end to the end by force

volatile std::sig_atomic_t requested = 0, requests = 0;

constexpr const char* exitString = "YOUR APPLICATION TERMINATED WITH THE EXIT STRING";

void note(int signal) {
    requested = signal;
    requests = requests + 1;
}

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// One of the two output streams of the job, through a pipe.
class Stream {
public:
    Stream(int target, bool hasBanner) : target_(target), hasBanner_(hasBanner) {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
            throw Failure(ExitCode::SourceError, fmt::format("no pipe: {}", std::strerror(errno)));
    }
    ~Stream() {
        ::close(ends_[0]);
        if (ends_[1] >= 0) ::close(ends_[1]);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    void becomeTarget() const { ::dup2(ends_[1], target_); }
    void closeWritingEnd() {
        ::close(ends_[1]);
        ends_[1] = -1;
    }
    pollfd polled() const { return {isOpen_ ? ends_[0] : -1, POLLIN, 0}; }
    bool isOpen() const { return isOpen_; }

    void pass() {
        std::array<char, 65536> piece;
        const ssize_t count = ::read(ends_[0], piece.data(), piece.size());
        if (count < 0 && errno == EINTR) return;
        isOpen_ = count > 0;
        const std::string text(piece.data(), isOpen_ ? static_cast<size_t>(count) : 0);
        codes_.read(text);
        if (hasBanner_)
            write(text);
        else
            write(isOpen_ ? filter_.filtered(text) : filter_.rest());
    }
    const ToldCodes& codes() const { return codes_; }

private:
    void write(const std::string& text) const {
        size_t done = 0;
        while (done < text.size()) {
            const ssize_t count = ::write(target_, text.data() + done, text.size() - done);
            if (count < 0 && errno != EINTR) return;
            done += count > 0 ? static_cast<size_t>(count) : 0;
        }
    }

    int target_;
    bool hasBanner_;
    std::array<int, 2> ends_ = {-1, -1};
    bool isOpen_ = true;
    WithoutBanner filter_;
    ToldCodes codes_;
};

/// One job.
class Job {
public:
    Job(const std::function<int()>& start, const RunOptions& options)
        : launcher_(options.transport == "node" ? Launcher::None
                    : usesSrun(options)         ? Launcher::Srun
                                                : Launcher::Mpiexec) {
        const auto add = [&](int target, Launcher toldBy) {
            if (options.isQuiet || launcher_ == toldBy)
                streams_.push_back(std::make_unique<Stream>(target, !options.isQuiet));
        };
        add(STDOUT_FILENO, Launcher::Mpiexec);
        add(STDERR_FILENO, Launcher::Srun);
        process_ = ::fork();
        if (process_ < 0)
            throw Failure(ExitCode::SourceError,
                          fmt::format("cannot start a job: {}", std::strerror(errno)));
        if (process_ == 0) {
            for (const auto& each : streams_) each->becomeTarget();
            for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
            ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // if hpcc run is killed
            try {
                ::_exit(start());
            } catch (const Failure& failure) {
                std::cerr << "hpcc: error: " << failure.what() << std::endl;
                ::_exit(static_cast<int>(failure.code()));
            }
        }
        for (const auto& each : streams_) each->closeWritingEnd();
    }

    /// Passes output on for a while; the exit status when the job has ended.
    bool hasEnded() {
        passOutput(20);
        int status = 0;
        if (::waitpid(process_, &status, WNOHANG) != process_) return false;
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        const auto begin = Clock::now();  // something that the job has left may hold the pipe
        while (isAnyOpen() && secondsSince(begin) < 0.5) passOutput(20);
        return true;
    }
    int code() const {
        int told = 0;
        if (launcher_ == Launcher::Srun && code_ >= 128) told = streams_.back()->codes().code();
        const bool isSignal = launcher_ == Launcher::Mpiexec && code_ > 0 &&
                              streams_.front()->codes().signalOfMpich() == code_;
        if (isSignal) told = 128 + code_;
        return told > 0 ? told : code_;
    }
    void send(int signal) const { ::kill(process_, signal); }

private:
    enum class Launcher { None, Mpiexec, Srun };

    bool isAnyOpen() const {
        return std::ranges::any_of(streams_, [](const auto& each) { return each->isOpen(); });
    }
    void passOutput(int milliseconds) {
        std::array<pollfd, 2> polled = {pollfd{-1, 0, 0}, pollfd{-1, 0, 0}};
        for (size_t k = 0; k < streams_.size(); ++k) polled[k] = streams_[k]->polled();
        if (::poll(polled.data(), polled.size(), milliseconds) <= 0) return;
        for (size_t k = 0; k < streams_.size(); ++k)
            if (polled[k].revents != 0) streams_[k]->pass();
    }

    const Launcher launcher_;
    pid_t process_ = 0;
    int code_ = 0;
    std::vector<std::unique_ptr<Stream>> streams_;
};

/// As in "srun: error: host: tasks 0-1: Killed"; 0: the line names none.
int signalNamedBySrun(const std::string& line) {
    if (!line.starts_with("srun: error: ") || line.find(": task") == std::string::npos) return 0;
    std::string name = line.substr(line.rfind(": ") + 2);
    name = name.substr(0, name.find(" (core dumped)"));
    if (name == "Out Of Memory") return SIGKILL;
    for (int signal = 1; signal < NSIG; ++signal)
        if (const char* known = ::strsignal(signal); known != nullptr && name == known)
            return signal;
    return 0;
}

/// Who was asked to stop, and has written a checkpoint, is not started again at once: its time is
/// over.
bool isWorthARestart(int code) {
    return code == mpiFailed || code == timedOut || (code >= 128 && code != stopped);
}

/// Runs one job to its end.
int runOnce(const std::function<int()>& start, const RunOptions& options) {
    Job job(start, options);
    const auto begin = Clock::now();
    auto ending = begin;
    int code = -1;  // that of hpcc run, once the end was asked for
    bool isAsked = false, isForced = false;
    int handedOn = requests;
    while (!job.hasEnded()) {
        const bool isLate = options.timeout > 0 && secondsSince(begin) > options.timeout;
        if (!isAsked && (requested != 0 || isLate)) {
            isAsked = true;
            ending = Clock::now();
            const bool hasGrace = requested == SIGTERM && options.writesCheckpoints();
            code = requested != 0 ? 128 + requested : timedOut;
            if (isLate && requested == 0)
                std::cerr << fmt::format("hpcc run: the job takes more than {} s; it is ended\n",
                                         options.timeout);
            job.send(hasGrace ? SIGUSR1 : requested != 0 ? requested : SIGTERM);
            if (hasGrace) ending += std::chrono::hours(1);  // a checkpoint may take its time
            handedOn = requests;
        }
        if (isAsked && requests > handedOn) job.send(requested);  // it was asked again
        handedOn = requests;
        if (isAsked && !isForced && secondsSince(ending) > patience) {
            isForced = true;
            job.send(SIGKILL);
        }
    }
    return isAsked ? code : job.code();
}

}  // namespace

void ToldCodes::read(const std::string& piece) {
    for (const char c : piece) {
        if (c == '\n')
            readLine();
        else if (line_.size() < 1000)
            line_ += c;
    }
}

void ToldCodes::readLine() {
    for (const std::string before :
         {"application called MPI_Abort(MPI_COMM_WORLD, ", ": Exited with exit code "}) {
        const size_t at = line_.find(before);
        if (at == std::string::npos) continue;
        worst_ = std::max(worst_, std::atoi(line_.c_str() + at + before.size()));
    }
    if (line_.starts_with(exitString) && line_.ends_with(')'))
        signalOfMpich_ = std::atoi(line_.c_str() + line_.rfind(' '));
    if (line_.ends_with(", which has died")) isDeathTold_ = true;  // of the runtime
    if (worst_ == 0 && firstSignal_ == 0) firstSignal_ = signalNamedBySrun(line_);
    line_.clear();
}

int ToldCodes::code() const {
    return firstSignal_ != 0 && (worst_ == 0 || isDeathTold_) ? 128 + firstSignal_ : worst_;
}

bool WithoutBanner::isBannerLine(const std::string& line) {
    static const std::string rule(40, '=');
    const bool isRule = line.starts_with(rule);
    if (isRule) {
        isInside_ = !isInside_;
        return true;
    }
    if (isInside_ && line.starts_with("=")) return true;
    isInside_ = false;
    return line.starts_with(exitString) ||
           line.starts_with("This typically refers to a problem with your application.") ||
           line.starts_with("Please see the FAQ page for debugging suggestions") ||
           (line.starts_with("Abort(") && line.find("application called MPI_Abort") != line.npos);
}

std::string WithoutBanner::filtered(const std::string& piece) {
    std::string shown;
    for (const char c : piece) {
        line_ += c;
        if (isPassing_) shown += c;
        if (c == '\n') {
            if (!isPassing_ && !isBannerLine(line_)) shown += line_;
            line_.clear();
            isPassing_ = false;
        }
    }
    // A line that is begun, a question say, is shown at once, unless it may become the launcher's.
    if (!isPassing_ && !line_.empty() && std::string("=YPTA").find(line_[0]) == std::string::npos) {
        shown += line_;
        isPassing_ = true;
    }
    return shown;
}

std::string WithoutBanner::rest() {
    const bool isShown = !isPassing_ && !line_.empty() && !isBannerLine(line_);
    return isShown ? line_ : "";
}

int supervise(const std::function<int()>& start, const RunOptions& options) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action = {};
        action.sa_handler = note;
        ::sigaction(signal, &action, nullptr);
    }
    for (int restart = 0;; ++restart) {
        const int code = runOnce(start, options);
        if (requested != 0 || restart == options.restarts || !isWorthARestart(code))
            return requested == SIGTERM && code == 0 ? stopped : code;
        std::cerr << fmt::format("hpcc run: the job ended with {}; start {} of {} more\n", code,
                                 restart + 1, options.restarts)
                  << std::flush;
    }
}

}  // namespace hpcc::driver
