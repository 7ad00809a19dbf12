// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/recorder.hpp"

#include "observe/communications.hpp"
#include "observe/observers.hpp"
#include "observe/profile_file.hpp"
#include "observe/trace_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace hpspmd::detail {

void SiteRecord::addTime(std::uint64_t ticks, std::uint64_t waiting, const Stopwatch& watch) {
    const Times one{1, ticks, waiting};
    const bool isFirst = count <= alwaysTimed, isLong = ticks > longFrom_;
    (isFirst ? first_ : isLong ? long_ : usual_).add(one);
    if (!isFirst) (isLong ? weighedLong_ : weighedUsual_).add(one, std::uint64_t{1} << bits_);
    if (count < nextTimed) return;
    constexpr std::uint64_t often = 16;
    if (count >= alwaysTimed && (isFirst || usual_.count % often == 0 || isLong)) learn(watch);
    nextTimed = nextOf((count >> bits_) + 1);
}

double agreedCost(double measured) {
    double cost = Stopwatch{}.cost;
    while (cost < measured) cost *= 2;
    return cost;
}

/// From what an execution takes: when one takes much longer than usual, and how many there are for
/// each one that is timed, which takes 0.1 % of them; but of as many as there were, 64 at least.
void SiteRecord::learn(const Stopwatch& watch) {
    constexpr double part = 0.001, longer = 16;
    constexpr unsigned most = 13;
    const auto mean = [](const Times& first, const Times& later) {
        const auto ticks = static_cast<double>(first.ticks + later.ticks);
        return std::max(1.0, ticks / static_cast<double>(first.count + later.count));
    };
    longFrom_ = static_cast<std::uint64_t>(longer * mean(first_, usual_));
    Times later = usual_;
    if (areLongUsual()) later.add(long_);
    const double all = watch.perTick * mean(first_, later);
    const auto isEnough = [&](unsigned bits) {
        return watch.cost <= part * all * (1U << bits) || alwaysTimed << (bits + 1) > count;
    };
    for (bits_ = 0; bits_ < most && !isEnough(bits_);) ++bits_;
}

/// Of stretches of so many executions one each is timed, at random, so that what alternates is not
/// met at one phase always, and of eight such stretches at eight phases. Of all processes the same
/// one, as a process that is timed lets others wait for it.
std::uint64_t SiteRecord::nextOf(std::uint64_t stretch) const {
    constexpr unsigned phases = 8;
    std::uint64_t random = stretch / phases * 0x9e3779b97f4a7c15u;
    random = (random ^ (random >> 30)) * 0xbf58476d1ce4e5b9u;
    const std::uint64_t within = (random >> 32 ^ stretch % phases) % (std::uint64_t{1} << bits_);
    return (stretch << bits_) + within;
}

void SiteRecord::addOther(const Communication& communication) {
    if (communication_.second == 0) {
        communication_ = {communication, 1};
        return;
    }
    for (auto& [known, count] : others_)
        if (known == communication) {
            ++count;
            return;
        }
    others_.emplace_back(communication, 1);
}

std::vector<SiteRecord::Counted> SiteRecord::communications() const {
    std::vector<Counted> all = others_;
    if (communication_.second > 0) all.insert(all.begin(), communication_);
    if (usual == nullptr) return all;
    for (auto& [known, many] : all)  // what is usual has been told once
        if (known == usual->communication) many += count - told;
    return all;
}

void SiteRecord::learn(const Heard& heard) {
    const bool isKnown =
        heard.communications == 1 || (heard.communications == 0 && heard.messages == 0);
    if (usual != nullptr || !isKnown || heard.schedules > heard.communications) return;
    if (heard_ == heard)
        usual = &heard_;
    else
        heard_ = heard;
}

Heard SiteRecord::counted() const {
    if (usual == nullptr) return {};
    Heard all = *usual;
    for (std::uint64_t Heard::*part :
         {&Heard::communications, &Heard::messages, &Heard::bytes, &Heard::schedules})
        all.*part *= count - told;
    return all;
}

/// Those that were timed stand for those that were not. Long ones do only if there were several: a
/// single one was a stall, as when the system lets another process run, and tells nothing of
/// others.
SiteTime SiteRecord::time() const {
    SiteTime time;
    for (const Times& timed : {first_, usual_, long_}) time.measured += timed.part();
    const std::uint64_t weighed = weighedUsual_.count + weighedLong_.count;
    if (weighed == 0) return time;
    const double weight = static_cast<double>(count - first_.count) / static_cast<double>(weighed);
    const auto others = [weight](const Times& all, const Times& timed) {
        const auto rest = [weight](std::uint64_t weighted, std::uint64_t part) {
            return weight * static_cast<double>(weighted) - static_cast<double>(part);
        };
        return SiteTime::Part{rest(all.ticks, timed.ticks), rest(all.waiting, timed.waiting),
                              timed.count};
    };
    time.usual = others(weighedUsual_, usual_);
    if (areLongUsual()) time.lasting = others(weighedLong_, long_);
    return time;
}

Recorder::Recorder(std::string profile, std::string trace, const TraceOptions& options, int process)
    : isTraceOpen_(!options.start),
      profile_(std::move(profile)),
      trace_(std::move(trace)),
      options_(options),
      process_(process) {
    under_[0] = &outside_;
    tally = {this, nullptr, &outside_, &outside_};
    setClose(!trace_.empty());
    if (!trace_.empty()) events_ = std::make_unique<Events>(options.start.has_value());
    wishes.messages = events_ != nullptr && options.showsMessages;
    if (events_ == nullptr) timingCost_ = agreedCost(measuredCost());  // for a trace all is timed
    if (process != 0) return;
    if (!profile_.empty()) beginProfile(profile_);
    if (!trace_.empty()) beginTrace(trace_);
}

/// Mostly what began after another one begins after it the next time, too.
inline void Recorder::begin(const char* name, Where where) {
    if (!isOwnThread()) return;
    auto* const site = static_cast<SiteRecord*>(tally.next);
    if (depth_ == deepest || !site->is(name, where)) [[unlikely]]
        return beginAnew(name, where);
    tally.before = under_[++depth_] = site;
    tally.next = site->successor;
    const bool isDue = site->begin();
    if (isDue || isClose_) [[unlikely]]
        startTime(isDue);
}

/// After another one than the last time.
[[gnu::noinline]] void Recorder::beginAnew(const char* name, Where where) {
    if (depth_ == deepest) {
        ++beyond_;
        return;
    }
    tally.next = tally.before->successor = &siteAt(name, where);
    begin(name, where);
}

inline void Recorder::end() {
    if (!isOwnThread() || isOutside()) return;
    if (beyond_ > 0) [[unlikely]] {
        --beyond_;
        return;
    }
    if (wishes.waits) [[unlikely]]
        return addTime();
    --depth_;
}

void Recorder::nestBegins(Where where, const WrittenArray*, int) { begin(nestName, where); }
void Recorder::nestEnds() { end(); }
void Recorder::collectiveBegins(const char* name, Where where) {
    begin(name, where);
    heard_ = {};
}
void Recorder::collectiveEnds() {
    if (isOwnThread() && !isOutside() && beyond_ == 0) site().learn(heard_);
    end();
}

void Recorder::setClose(bool isClose) {
    isClose_ = isClose;
    tally.thread = isClose ? nullptr : thread_;
}

/// The last one under way is timed, if that is due or wanted.
[[gnu::noinline]] void Recorder::startTime(bool isDue) {
    if (events_ != nullptr && !isTraceOpen_) openTrace(site());
    if (!isDue && !wishes.waits && !isTraced()) return;
    if (!wishes.waits) timedFrom_ = depth_;
    wishes.waits = true;
    setClose(true);
    last() = {0, 0, 0, site().sent};
    last().start = ticks_.now();
}

/// Of the last one under way, which ends.
[[gnu::noinline]] void Recorder::addTime() {
    const std::uint64_t end = ticks_.now();
    const Frame& frame = last();
    const std::uint64_t taken = end - frame.start, others = frame.inside + ofNothing_;
    SiteRecord& ended = site();
    wishes.waits = depth_-- > timedFrom_;
    setClose(wishes.waits || events_ != nullptr);
    if (wishes.waits) last().inside += taken + besides_;
    if (ended.count % 1024 == 64) ticks_.calibrate();
    const std::uint64_t own = taken - std::min(taken, others);
    ended.addTime(own, std::min(own, frame.waiting), {timingCost_, ticks_.perTick()});
    if (isTraced())
        events_->add(
            {frame.start, end, ended.sent.bytes - frame.before.bytes, ended.number, Event::Site});
}

/// Nanoseconds of the quickest of several executions that are timed, each after a program's
/// elements have pushed what the recorder keeps out of the first cache.
double Recorder::measuredCost() {
    constexpr std::size_t bytes = 256 * 1024, line = 64;
    constexpr int times = 16;
    SiteRecord site(0, "", {});
    std::vector<char> elements(bytes);
    std::uint64_t least = ~std::uint64_t{0}, ofNothing = least;
    for (int k = 0; k < times; ++k) {
        for (std::size_t at = 0; at < bytes; at += line)
            static_cast<volatile char*>(elements.data())[at] = static_cast<char>(k);
        const std::uint64_t start = ticks_.now();
        under_[++depth_] = &site;
        startTime(site.begin());
        const double before = site.time().measured.ticks;
        addTime();
        least = std::min(least, ticks_.now() - start);
        const double taken = site.time().measured.ticks - before;
        ofNothing = std::min(ofNothing, static_cast<std::uint64_t>(taken));
    }
    ofNothing_ = ofNothing;
    besides_ = least - ofNothing;
    ticks_.calibrate();
    return static_cast<double>(least) * ticks_.perTick();
}

/// `site` begins: opens the trace if that is where it is to start.
void Recorder::openTrace(const SiteRecord& site) {
    const TraceStart& start = *options_.start;
    isTraceOpen_ =
        start.file.empty()
            ? 1e-9 * static_cast<double>(nanoseconds() - ticks_.startTime()) >= start.seconds
            : site.where.line == start.line && site.count >= start.execution &&
                  start.isFile(site.where.file);
}

void Recorder::traceMessage(Event::Kind kind, int process, std::uint64_t number) {
    if (!isOwnThread() || !isTraced() || isOutside()) return;
    const std::uint64_t now = ticks_.now();
    events_->add({now, now, number, static_cast<std::uint32_t>(process), kind});
}

void Recorder::departs(int process, std::uint64_t number) {
    traceMessage(Event::Departure, process, number);
}

void Recorder::arrives(int process, std::uint64_t number) {
    traceMessage(Event::Arrival, process, number);
}

SiteRecord& Recorder::siteAt(const char* name, Where where) {
    const std::uintptr_t hash = (reinterpret_cast<std::uintptr_t>(name) >> 2) ^
                                (reinterpret_cast<std::uintptr_t>(where.file) >> 2) ^
                                static_cast<std::uintptr_t>(where.line * 7);
    SiteRecord*& recent = recent_[hash % recent_.size()];
    if (recent == nullptr || !recent->is(name, where)) recent = &newSite(name, where);
    return *recent;
}

SiteRecord& Recorder::newSite(const char* name, Where where) {
    SiteRecord*& site = byName_[{where.line, name, where.file}];
    if (site == nullptr)
        site = &sites_.emplace_back(static_cast<std::uint32_t>(sites_.size()), name, where);
    return *site;
}

void Recorder::waitBegins() {
    if (!isOwnThread()) return;
    isWaiting_ = wishes.waits;
    waitResumes();
}

void Recorder::waitResumes() {
    if (isWaiting_ && isOwnThread()) waitStart_ = ticks_.now();
}

void Recorder::waitPauses() {
    if (!isWaiting_ || !isOwnThread()) return;
    const std::uint64_t now = ticks_.now();
    last().waiting += now - waitStart_;
    constexpr double shortest = 1000;  // nanoseconds; of shorter ones a trace would be full
    if (isTraced() && static_cast<double>(now - waitStart_) * ticks_.perTick() > shortest)
        events_->add({waitStart_, now, 0, site().number, Event::Wait});
}

void Recorder::waitEnds() {
    waitPauses();
    if (isOwnThread()) isWaiting_ = false;
}

void Recorder::sends(int, std::size_t bytes) {
    if (!isOwnThread()) return;
    Sent& sent = site().sent;
    ++sent.messages;
    sent.bytes += bytes;
    ++heard_.messages;
    heard_.bytes += bytes;
}

void Recorder::communicates(const Communication& communication) {
    if (!isOwnThread()) return;
    site().add(communication);
    heard_.communication = communication;
    ++heard_.communications;
}

void Recorder::findsSchedule() {
    if (!isOwnThread()) return;
    site().findSchedule();
    ++heard_.schedules;
}

RecordedProcess Recorder::recorded() {
    ticks_.calibrate();
    RecordedProcess result;
    result.process = process_;
    result.seconds = 1e-9 * static_cast<double>(nanoseconds() - ticks_.startTime());
    result.outside = outside_.sent;
    const double perTick = 1e-9 * ticks_.perTick();
    std::vector<SiteTime> times;
    for (const SiteRecord& site : sites_) times.push_back(site.time());
    limit(times, result.seconds / perTick);
    auto time = times.begin();
    for (const SiteRecord& site : sites_) {
        const SiteTime::Part total = (time++)->total();
        result.sites.push_back({site.where.file,
                                site.what,
                                site.where.line,
                                site.count,
                                site.cacheHits(),
                                perTick * total.ticks,
                                perTick * total.waiting,
                                site.isSampled(),
                                site.sentInAll(),
                                {}});
        for (const auto& [communication, count] : site.communications())
            result.sites.back().communications.emplace_back(textOf(communication), count);
    }
    return result;
}

void Recorder::jobEnds() {
    const RecordedProcess own = recorded();
    if (!profile_.empty()) writeProfile(profile_, own);
    if (!trace_.empty()) writeTrace(trace_, own, *events_, ticks_);
}

/// What is under way is not left any more.
void Recorder::jobFails() {
    for (beyond_ = 0; !isOutside() && isOwnThread(); end()) waitEnds();
    const RecordedProcess own = recorded();
    if (!profile_.empty()) writeOwnProfile(profile_, own);
    if (!trace_.empty()) writeOwnTrace(trace_, own, *events_, ticks_);
}

std::unique_ptr<Observer> newRecorder(int process) {
    const auto file = [](const char* name) {
        const std::string path = variable(name);
        return path.empty() ? path : std::filesystem::absolute(path).string();
    };
    std::string profile = file("HPSPMD_PROFILE"), trace = file("HPSPMD_TRACE");
    if (profile.empty() && trace.empty()) return nullptr;
    return std::make_unique<Recorder>(std::move(profile), std::move(trace), traceOptions(),
                                      process);
}

}  // namespace hpspmd::detail
