// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Recorder, which counts and times what a process does at each line: HPSPMD_PROFILE, HPSPMD_TRACE.

#include "observe/events.hpp"
#include "observe/recorded.hpp"
#include "observe/site_time.hpp"
#include "observe/ticks.hpp"
#include "observe/trace_options.hpp"

#include <hpspmd/ghosts.hpp>
#include <hpspmd/observe.hpp>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// Nanoseconds: what it takes to time an execution, the same in all processes, and a tick. In a
/// program at least `cost`, also where the same code alone takes 30: no branch to it is foreseen.
struct Stopwatch {
    double cost = 150, perTick = 1;
};

/// What processes of like machines agree on without a message, so that they time the same
/// executions: 150, 300, 600 and so on, the least that is no less than what each has measured.
double agreedCost(double measured);

/// A nest or a call of a collective in the program's text, and what has been recorded of it. All
/// executions are counted. The first ones are all timed, of further ones as many as cost little;
/// times do not include those of other sites within it.
class alignas(64) SiteRecord {
public:
    SiteRecord(std::uint32_t number, const char* what, Where where)
        : what(what), where(where), number(number) {}

    // What each execution looks at stands in one line of the cache; in the next one what it
    // communicates, which mostly is one thing.
    const char* const what;  ///< "nest", or what the collective is called
    const Where where;
    std::uint64_t count = 0;

private:
    std::uint64_t next_ = 0;  // the next execution that is timed

public:
    SiteRecord* successor = this;  ///< what began after it, last time
    Sent sent;
    std::uint64_t cacheHits = 0;

private:
    using Counted = std::pair<Communication, std::uint64_t>;
    Counted communication_{};
    std::vector<Counted> others_;

public:
    const std::uint32_t number;  ///< of the process's sites

    bool is(const char* name, Where place) const {
        return where.line == place.line && what == name && where.file == place.file;
    }
    void add(const Communication& communication) {
        if (communication_.first == communication)
            ++communication_.second;
        else
            addOther(communication);
    }
    std::vector<Counted> communications() const;  ///< with their counts
    /// One more execution that takes part in the usual communication, whose schedule was there,
    /// unless it is to be timed.
    bool pass(const Communication& communication) {
        if (count + 1 >= next_ || !(communication_.first == communication)) return false;
        ++count;
        ++cacheHits;
        ++communication_.second;
        return true;
    }
    /// One more execution: true if it is to be timed.
    bool begin() { return ++count >= next_; }
    void addTime(std::uint64_t ticks, std::uint64_t waiting, const Stopwatch& watch);

    SiteTime time() const;
    bool isSampled() const { return first_.count + usual_.count + long_.count < count; }

private:
    struct Times {
        std::uint64_t count = 0, ticks = 0, waiting = 0;

        void add(const Times& more, std::uint64_t weight = 1) {
            count += weight * more.count;
            ticks += weight * more.ticks;
            waiting += weight * more.waiting;
        }
        SiteTime::Part part() const {
            return {static_cast<double>(ticks), static_cast<double>(waiting), count};
        }
    };

    static constexpr std::uint64_t alwaysTimed = 64;

    void addOther(const Communication& communication);
    bool areLongUsual() const { return long_.count >= 4; }
    void learn(const Stopwatch& watch);
    std::uint64_t nextOf(std::uint64_t stretch) const;

    // The first ones; later ones that took no longer than usual, and others, each with the weight
    // of all that it stands for, too.
    Times first_, usual_, weighedUsual_, long_, weighedLong_;
    std::uint64_t longFrom_ = 0;  // ticks
    unsigned bits_ = 0;           // one of 2 to this power is timed
};

/// What tells one thread from another: an address that each has for itself.
inline const void* ownThread() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    return __builtin_thread_pointer();  // one instruction, also in code that may stand anywhere
#else
    return &nesting;
#endif
}

class alignas(64) Recorder final : public Observer {
public:
    /// Files: "" if they are not asked for.
    Recorder(std::string profile, std::string trace, const TraceOptions& options, int process);

    void nestBegins(Where where, const WrittenArray*, int) override;
    void nestEnds() override;
    bool passes(const char* name, Where where, const Communication& communication) override;
    void collectiveBegins(const char* name, Where where) override;
    void collectiveEnds() override;
    void waitBegins() override;
    void waitPauses() override;
    void waitResumes() override;
    void waitEnds() override;
    void sends(int process, std::size_t bytes) override;
    void departs(int process, std::uint64_t number) override;
    void arrives(int process, std::uint64_t number) override;
    void communicates(const Communication& communication) override;
    void findsSchedule() override;
    void jobEnds() override;
    void jobFails() override;

private:
    /// Of a nest or a collective under way that is timed.
    struct Frame {
        std::uint64_t start, inside, waiting;  ///< ticks: of the begin, of others within it
        Sent before;
    };
    static constexpr std::uint8_t deepest = 8;  ///< what is under way within more belongs to these

    // What further threads of a program do belongs to no site.
    bool isOwnThread() const { return ownThread() == thread_; }
    SiteRecord& site() { return *under_[depth_]; }
    bool isOutside() const { return depth_ == 0; }
    Frame& last() { return frames_[depth_ - 1U]; }
    void begin(const char* name, Where where);
    void end();
    void beginAnew(const char* name, Where where);
    void startTime(bool isDue);
    void addTime();
    SiteRecord& siteAt(const char* name, Where where);
    SiteRecord& newSite(const char* name, Where where);
    double measuredCost();
    RecordedProcess recorded();
    bool isTraced() const { return events_ != nullptr && isTraceOpen_; }
    void openTrace(const SiteRecord& site);
    void traceMessage(Event::Kind kind, int process, std::uint64_t number);

    // What each execution looks at stands in one line of the cache. Where one is timed, so is what
    // it consists of, as its time is not that of the other's site: `wishes.waits` tells whether the
    // last one under way is timed, which all from depth `timedFrom_` on are then.
    bool isTraceOpen_ = false, isWaiting_ = false;
    bool isClose_;  // so that it is to be asked whether the next one is timed: one is, or a trace
    std::uint8_t depth_ = 0, timedFrom_ = 0;
    std::uint32_t beyond_ = 0;
    const void* const thread_ = ownThread();
    SiteRecord* before_;                            // that began last
    SiteRecord* next_;                              // that begins next, if it is as the last time
    std::array<SiteRecord*, deepest + 1> under_{};  // way; at first what is outside of all

    std::uint64_t waitStart_ = 0;
    Ticks ticks_;
    double timingCost_ = Stopwatch{}.cost;
    // Ticks at least: what an execution that does nothing seems to take, and what timing it takes
    // besides.
    std::uint64_t ofNothing_ = 0, besides_ = 0;
    std::array<Frame, deepest> frames_{};
    std::unique_ptr<Events> events_;
    std::array<SiteRecord*, 256> recent_{};  // found by addresses alone

    SiteRecord outside_{0, "", {}};
    std::deque<SiteRecord> sites_;
    std::map<std::tuple<int, std::string, std::string>, SiteRecord*> byName_;
    const std::string profile_, trace_;
    const TraceOptions options_;
    const int process_;
};

}  // namespace hpspmd::detail
