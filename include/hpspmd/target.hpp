// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Target, where the nests of a process run: `on (targets::threads.count(4)) ..`. Nests ask
/// mostThreads().

#include <hpspmd/where.hpp>

#include <algorithm>
#include <string>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace hpspmd {
namespace detail {

enum class TargetKind : unsigned char {
    None,  ///< nothing has been said
    Sequential,
    Threads,
    Gpu,
    Cuda,
    OpenCl,
    Check,
    Devices,
    Automatic
};

/// A target names at most so many.
inline constexpr int mostThreadsOfTarget = 4096;
/// Shares that are found while nests run: by times; in sets of devices that are tried, from one
/// device on or from all; or by chunks for whoever is done, which become smaller or have so many
/// rows more than dynamicShare.
inline constexpr int measuredShare = 101, growingShare = 102, shrinkingShare = 103,
                     guidedShare = 104, dynamicShare = 1000;
inline constexpr bool isMeasured(int share) {
    return share >= measuredShare && share <= shrinkingShare;
}
inline constexpr int mostRowsOfChunk = 1000000;
inline constexpr bool isDealtOut(int share) { return share >= guidedShare; }

}  // namespace detail

/// Where nests, and patterns, run. A target that is not there falls back to threads, and these to
/// the calling thread, with the same result; HPSPMD_LOG=1 says so.
class Target {
public:
    constexpr Target() noexcept = default;
    constexpr explicit Target(detail::TargetKind kind, int number = -1,
                              bool isStrict = false) noexcept
        : kind_(kind), isStrict_(isStrict), number_(number) {}

    /// The same without fallback: TargetUnavailable.
    constexpr Target strict() const { return Target(kind_, number_, true); }

    // For libraries.
    constexpr detail::TargetKind kind() const { return kind_; }
    constexpr bool isStrict() const { return isStrict_; }
    /// Of threads, how many; of a device, which; of all devices, the hundredths that they run, or
    /// one of the shares above. Negative: not said, so all threads of the process, its own device,
    /// all.
    constexpr int number() const { return number_; }

private:
    detail::TargetKind kind_ = detail::TargetKind::None;
    bool isStrict_ = false;
    int number_ = -1;
};

/// The threads of the process.
class ThreadsTarget : public Target {
public:
    constexpr ThreadsTarget() noexcept : Target(detail::TargetKind::Threads) {}
    /// So many of them, at most 4096; all if n is not positive.
    constexpr Target count(int n) const {
        return Target(kind(), n > 0 ? std::min(n, detail::mostThreadsOfTarget) : -1, isStrict());
    }
};

/// A GPU of the process.
class GpuTarget : public Target {
public:
    constexpr GpuTarget() noexcept : Target(detail::TargetKind::Gpu) {}
    /// The n-th of each kind, from 0; the process's own if n is negative.
    constexpr Target number(int n) const { return Target(kind(), n, isStrict()); }
};

/// How rows of nests come to devices: targets::fixed, targets::dynamic(rows), targets::guided.
class RowSchedule {
public:
    constexpr explicit RowSchedule(int share) noexcept : share_(share) {}
    constexpr int share() const { return share_; }  // for libraries

private:
    int share_;
};

/// Which sets of devices are tried first.
class SetTuning {
public:
    constexpr explicit SetTuning(int share) noexcept : share_(share) {}
    constexpr int share() const { return share_; }  // for libraries

private:
    int share_;
};

/// The GPUs of the process, and its threads.
class DevicesTarget : public Target {
public:
    constexpr DevicesTarget() noexcept : Target(detail::TargetKind::Devices) {}
    /// The GPUs run so many hundredths of each nest, in equal parts, and the threads the rest.
    constexpr Target share(int percent) const {
        return Target(kind(), percent < 0 ? 0 : std::min(percent, 100), isStrict());
    }
    /// In shares that the times of nests give, and the threads only where they help.
    constexpr Target measured() const { return Target(kind(), detail::measuredShare, isStrict()); }
    /// By the fastest of the sets of GPUs, with the threads or without, in measured shares:
    /// targets::grow, targets::shrink.
    constexpr Target tuned(SetTuning how) const { return Target(kind(), how.share(), isStrict()); }
    /// As the schedule says; dynamic and guided give rows to the threads, too.
    constexpr Target schedule(RowSchedule how) const {
        return Target(kind(), how.share(), isStrict());
    }
};

/// Names that programs use for other things, too: `on (targets::gpu)`, or `using namespace
/// hpspmd::targets`.
namespace targets {

inline constexpr Target sequential{detail::TargetKind::Sequential};  ///< the calling thread
inline constexpr ThreadsTarget threads;
inline constexpr GpuTarget gpu;
inline constexpr DevicesTarget devices;                            ///< all GPUs, and threads
inline constexpr Target automatic{detail::TargetKind::Automatic};  ///< what was fastest so far

/// For devices.tuned(..): sets from one device on, or from all devices and the threads down.
inline constexpr SetTuning grow{detail::growingShare};
inline constexpr SetTuning shrink{detail::shrinkingShare};

/// For devices.schedule(..): a part of the rows for each GPU, always the same.
inline constexpr RowSchedule fixed{-1};
/// Chunks of rows for whoever is done with the last one, which become smaller to the end.
inline constexpr RowSchedule guided{detail::guidedShare};
/// The same in chunks of so many rows, 1 to 1000000; else `on` ends with TargetUnavailable.
constexpr RowSchedule dynamic(int rows) {
    return RowSchedule(detail::dynamicShare + std::clamp(rows, 0, detail::mostRowsOfChunk + 1));
}

}  // namespace targets

namespace detail {

/// A place in the program, and the name of the function that it is in.
struct Site {
    Where where;
    const char* function = "";
    bool hasKernel = false;  ///< a nest that asks deviceAt() before mostThreads()

    static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                               const char* function = __builtin_FUNCTION()) {
        return {{file, line}, function, false};
    }
    constexpr Site withKernel() const { return {where, function, true}; }
};

/// What `on` has said in this thread.
inline thread_local Target activeTarget;

/// True if one of the environment variables HPSPMD_TARGET and HPSPMD_RULES is set.
extern const bool targetsAreNamed;

/// Reads them; TargetUnavailable for what they cannot mean, IoError for a file that is not there.
void readTargets();

/// The number of threads for a nest there, of at most `most` by itself; says what the target cannot
/// do. TargetUnavailable.
int threadsAt(const Site& site, int most);

/// deviceAt() outside of other nests.
Target chosenDevice(const Site& site);

/// Of a nest that all devices of the process share: how many hundredths of it they run, or another
/// share. Negative: they do not share it.
int shareAt(const Site& site);

/// Tells the log of the nest there, each text once.
void tellOfNest(const Site& site, const std::string& text);

/// The nest there could not run on the device that deviceAt() gave, so that the host runs it: tells
/// the log why, once per nest. TargetUnavailable for a strict target.
void fallBack(const Site& site, const char* reason);

/// `on` of a target that may not be there: says what happens instead. TargetUnavailable if it is
/// strict.
void enterTarget(const Target& target, Where where);

/// The device on which a nest that has a kernel runs: of kind Cuda, OpenCl or Check, chosen from
/// what a rule, `on` and HPSPMD_TARGET say, and a GPU where none of them speaks. Of kind None: it
/// runs on the host, and the log has been told why. TargetUnavailable for a strict target.
inline Target deviceAt(const Site& site) {
#if defined(_OPENMP)
    if (omp_in_parallel()) return {};
#endif
    return chosenDevice(site);
}

/// How many threads a nest that starts here may use: 1 inside of another one.
inline int mostThreads(const Site& site) {
#if defined(_OPENMP)
    if (omp_in_parallel()) return 1;
    const int most = omp_get_max_threads();
#else
    const int most = 1;
#endif
    if (!targetsAreNamed && activeTarget.kind() == TargetKind::None) return most;
    const int wanted = threadsAt(site, most);
#if defined(_OPENMP)
    return wanted;
#else
    return wanted < most ? wanted : most;
#endif
}

}  // namespace detail
}  // namespace hpspmd
