// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Target, where the nests of a process run: `on (targets::threads.count(4)) ..`. Nests ask
/// mostThreads().

#include <hpspmd/where.hpp>

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

}  // namespace detail

/// Where nests, and patterns, run. A target that is not there falls back to threads, and these to
/// the calling thread, with the same result; HPSPMD_LOG=1 says so.
class Target {
public:
    constexpr Target() noexcept = default;
    constexpr explicit Target(detail::TargetKind kind, int number = 0,
                              bool isStrict = false) noexcept
        : kind_(kind), isStrict_(isStrict), number_(number) {}

    /// The same without fallback: TargetUnavailable.
    constexpr Target strict() const { return Target(kind_, number_, true); }

    // For libraries.
    constexpr detail::TargetKind kind() const { return kind_; }
    constexpr bool isStrict() const { return isStrict_; }
    /// Of threads, how many (0: all of the process); of a device, which.
    constexpr int number() const { return number_; }

private:
    detail::TargetKind kind_ = detail::TargetKind::None;
    bool isStrict_ = false;
    int number_ = 0;
};

/// The threads of the process.
class ThreadsTarget : public Target {
public:
    constexpr ThreadsTarget() noexcept : Target(detail::TargetKind::Threads) {}
    /// So many of them; all if n is not positive.
    constexpr Target count(int n) const { return Target(kind(), n > 0 ? n : 0, isStrict()); }
};

/// A GPU of the process.
class GpuTarget : public Target {
public:
    constexpr GpuTarget() noexcept : Target(detail::TargetKind::Gpu) {}
    constexpr Target number(int n) const { return Target(kind(), n, isStrict()); }
};

/// Names that programs use for other things, too: `on (targets::gpu)`, or `using namespace
/// hpspmd::targets`.
namespace targets {

inline constexpr Target sequential{detail::TargetKind::Sequential};  ///< the calling thread
inline constexpr ThreadsTarget threads;
inline constexpr GpuTarget gpu;
inline constexpr Target devices{detail::TargetKind::Devices};      ///< threads and GPUs together
inline constexpr Target automatic{detail::TargetKind::Automatic};  ///< what was fastest so far

}  // namespace targets

namespace detail {

/// A place in the program, and the name of the function that it is in.
struct Site {
    Where where;
    const char* function = "";

    static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE(),
                               const char* function = __builtin_FUNCTION()) {
        return {{file, line}, function};
    }
};

/// What `on` has said in this thread.
inline thread_local Target activeTarget;

/// Is one of the environment variables HPSPMD_TARGET and HPSPMD_RULES set?
extern const bool targetsAreNamed;

/// Reads them; TargetUnavailable for what they cannot mean, IoError for a file that is not there.
void readTargets();

/// The number of threads for a nest there, of at most `most` by itself; says what the target cannot
/// do. TargetUnavailable.
int threadsAt(const Site& site, int most);

/// Says of a target that is not there what happens instead; TargetUnavailable if it is strict.
void enterTarget(const Target& target, Where where);

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
