// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Recorder, which counts and times what a process does at each line: HPSPMD_PROFILE, HPSPMD_TRACE.

#include "observe/events.hpp"
#include "observe/recorded.hpp"
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
    static constexpr std::uint64_t alwaysTimed = 64;
    std::uint64_t next_ = alwaysTimed + 1;  // the next execution that is timed

public:
    Sent sent;
    std::uint64_t cacheHits = 0;

private:
    using Counted = std::pair<Communication, std::uint64_t>;
    Counted communication_{};
    std::vector<Counted> others_;

public:
    const std::uint32_t number;  ///< of the process's sites

    void add(const Communication& communication) {
        if (communication_.first == communication)
            ++communication_.second;
        else
            addOther(communication);
    }
    std::vector<Counted> communications() const;  ///< with their counts
    /// One more execution: true if it is to be timed.
    bool begin() { return ++count <= alwaysTimed || count >= next_; }
    void addTime(std::uint64_t ticks, std::uint64_t waiting, double perTick);

    double ticks() const { return estimated(&Times::ticks); }
    double waiting() const { return estimated(&Times::waiting); }
    bool isSampled() const { return later_.count < laterCount(); }

private:
    struct Times {
        std::uint64_t count = 0, ticks = 0, waiting = 0;
    };

    void addOther(const Communication& communication);
    std::uint64_t laterCount() const { return count > alwaysTimed ? count - alwaysTimed : 0; }
    double mean() const;
    double estimated(std::uint64_t Times::*part) const;
    std::uint64_t interval(double perTick);

    Times first_, later_, stalls_;
    std::uint64_t random_ = 1;
};

class alignas(64) Recorder final : public Observer {
public:
    /// Files: "" if they are not asked for.
    Recorder(std::string profile, std::string trace, const TraceOptions& options, int process);

    void nestBegins(Where where, const WrittenArray*, int) override { begin("nest", where); }
    void nestEnds() override { end(); }
    void collectiveBegins(const char* name, Where where) override { begin(name, where); }
    void collectiveEnds() override { end(); }
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
    /// A nest or a collective under way. The last one is timed if `wishes.waits`, and where one is
    /// timed, so is what it consists of, as its time is not that of the other's site.
    struct Frame {
        SiteRecord* site;
        bool isTimed;
        std::uint64_t start, inside,
            waiting;  ///< if it is: ticks, of the begin, of others within it
        Sent before;
    };

    // What further threads of a program do belongs to no site.
    bool isOwnThread() const { return &nesting == thread_; }
    bool isKept(std::size_t depth) const { return depth < frames_.size(); }
    Frame& last() { return frames_[depth_ - 1]; }
    void addTime(const Frame& frame);
    void begin(const char* name, Where where);
    void end();
    SiteRecord& siteAt(const char* name, Where where);
    SiteRecord& newSite(const char* name, Where where);
    RecordedProcess recorded();
    bool isTraced() const { return events_ != nullptr && isTraceOpen_; }
    void openTrace(const SiteRecord& site);
    void traceMessage(Event::Kind kind, int process, std::uint64_t number);

    // What each execution looks at stands in one line of the cache.
    bool isTraceOpen_ = false, isWaiting_ = false;
    const void* const thread_ = &nesting;
    std::unique_ptr<Events> events_;
    std::size_t depth_ = 0;
    SiteRecord* site_ = nullptr;  // of the last one under way; null outside of all
    std::uint64_t waitStart_ = 0;
    Ticks ticks_;
    std::array<Frame, 8> frames_{};
    std::array<SiteRecord*, 256> recent_{};  // found by addresses alone

    std::deque<SiteRecord> sites_;
    std::map<std::tuple<int, std::string, std::string>, SiteRecord*> byName_;
    Sent outside_;
    const std::string profile_, trace_;
    const TraceOptions options_;
    const int process_;
};

}  // namespace hpspmd::detail
