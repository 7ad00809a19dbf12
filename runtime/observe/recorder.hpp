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
class SiteRecord : public SiteCount {
public:
    using Counted = std::pair<Communication, std::uint64_t>;

    SiteRecord(std::uint32_t number, const char* what, Where where)
        : SiteCount(what, where), number(number) {}

    Sent sent;
    std::uint64_t told = 0;      ///< executions that the observer was told of
    const std::uint32_t number;  ///< of the process's sites

    void add(const Communication& communication) {
        if (communication_.first == communication)
            ++communication_.second;
        else
            addOther(communication);
    }
    std::vector<Counted> communications() const;  ///< with their counts
    void findSchedule() { ++cacheHits_; }
    std::uint64_t cacheHits() const { return cacheHits_ + counted().schedules; }
    Sent sentInAll() const {
        return {sent.messages + counted().messages, sent.bytes + counted().bytes};
    }
    /// An execution that was told has ended. What two of them tell alike is usual.
    void learn(const Heard& heard);
    /// One more execution, of which the observer is told: true if it is to be timed.
    bool begin() {
        ++told;
        return ++count >= nextTimed;
    }
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

    /// What all executions have told that were only counted.
    Heard counted() const;

    void addOther(const Communication& communication);
    bool areLongUsual() const { return long_.count >= 4; }
    void learn(const Stopwatch& watch);
    std::uint64_t nextOf(std::uint64_t stretch) const;

    // What those took part in that were told, mostly one thing.
    Counted communication_{};
    std::vector<Counted> others_;
    std::uint64_t cacheHits_ = 0;
    Heard heard_;  // of the last one that was told
    // The first ones; later ones that took no longer than usual, and others, each with the weight
    // of all that it stands for, too.
    Times first_, usual_, weighedUsual_, long_, weighedLong_;
    std::uint64_t longFrom_ = 0;  // ticks
    unsigned bits_ = 0;           // one of 2 to this power is timed
};

class alignas(64) Recorder final : public Observer {
public:
    /// Files: "" if they are not asked for.
    Recorder(std::string profile, std::string trace, const TraceOptions& options, int process);

    void nestBegins(Where where, const WrittenArray*, int) override;
    void nestEnds() override;
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
    void setClose(bool isClose);
    void startTime(bool isDue);
    void addTime();
    SiteRecord& siteAt(const char* name, Where where);
    SiteRecord& newSite(const char* name, Where where);
    double measuredCost();
    RecordedProcess recorded();
    bool isTraced() const { return events_ != nullptr && isTraceOpen_; }
    void openTrace(const SiteRecord& site);
    void traceMessage(Event::Kind kind, int process, std::uint64_t number);

    // What each execution that is told looks at stands in one line of the cache. Where one is
    // timed, so is what it consists of, as its time is not that of the other's site: `wishes.waits`
    // tells whether the last one under way is timed, which all from depth `timedFrom_` on are then.
    bool isTraceOpen_ = false, isWaiting_ = false;
    // So that it is to be asked whether the next one is timed, as one is, or there is a trace: then
    // all are told.
    bool isClose_ = false;
    std::uint8_t depth_ = 0, timedFrom_ = 0;
    std::uint32_t beyond_ = 0;
    const void* const thread_ = ownThread();
    std::array<SiteRecord*, deepest + 1> under_{};  // way; at first what is outside of all

    Heard heard_;  // of the collective under way
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
