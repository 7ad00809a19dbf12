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

double SiteRecord::mean() const {
    return static_cast<double>(first_.ticks + later_.ticks) /
           static_cast<double>(first_.count + later_.count);
}

/// What an execution takes beyond a hundred times the mean stands for itself, not for those that
/// are not timed: it was a stall, as when the system lets another process run.
void SiteRecord::addTime(std::uint64_t ticks, std::uint64_t waiting, double perTick) {
    Times& times = count <= alwaysTimed ? first_ : later_;
    if (count > alwaysTimed) {
        const auto most = static_cast<std::uint64_t>(100 * std::max(mean(), 1.0));
        const std::uint64_t usual = std::min(ticks, most), waited = std::min(waiting, most);
        stalls_.ticks += ticks - usual;
        stalls_.waiting += waiting - waited;
        ticks = usual;
        waiting = waited;
    }
    ++times.count;
    times.ticks += ticks;
    times.waiting += waiting;
    if (count >= next_) next_ = count + interval(perTick);
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
    return all;
}

/// So many executions later another one is timed: of 1 to 2k - 1 one at random, so that what
/// alternates is not met at one phase always. k: two stamps take 0.2 % of k executions.
std::uint64_t SiteRecord::interval(double perTick) {
    constexpr double stamps = 60, part = 0.002, most = 10000;  // nanoseconds
    const double wanted = stamps / part / std::max(perTick * mean(), 1.0);
    if (!(wanted > 1)) return 1;
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    const auto k = static_cast<std::uint64_t>(std::min(std::ceil(wanted), most));
    return 1 + (random_ >> 33) % (2 * k - 1);
}

double SiteRecord::estimated(std::uint64_t Times::*part) const {
    const auto timed = static_cast<double>(first_.*part + stalls_.*part);
    if (later_.count == 0) return timed;
    return timed + static_cast<double>(later_.*part) * static_cast<double>(laterCount()) /
                       static_cast<double>(later_.count);
}

Recorder::Recorder(std::string profile, std::string trace, const TraceOptions& options, int process)
    : isTraceOpen_(!options.start),
      profile_(std::move(profile)),
      trace_(std::move(trace)),
      options_(options),
      process_(process) {
    if (!trace_.empty()) events_ = std::make_unique<Events>(options.start.has_value());
    wishes.messages = events_ != nullptr && options.showsMessages;
    if (process != 0) return;
    if (!profile_.empty()) beginProfile(profile_);
    if (!trace_.empty()) beginTrace(trace_);
}

void Recorder::begin(const char* name, Where where) {
    if (!isOwnThread() || !isKept(depth_++)) return;
    SiteRecord& site = siteAt(name, where);
    if (events_ != nullptr && !isTraceOpen_) openTrace(site);
    const bool isDue = site.begin() || wishes.waits || isTraced();
    Frame& frame = last();
    frame.site = site_ = &site;
    frame.isTimed = wishes.waits = isDue;
    if (!isDue) return;
    frame.inside = frame.waiting = 0;
    frame.before = site.sent;
    frame.start = ticks_.now();
}

void Recorder::end() {
    if (!isOwnThread() || depth_ == 0 || !isKept(--depth_)) return;
    if (wishes.waits) addTime(frames_[depth_]);
    site_ = depth_ > 0 ? last().site : nullptr;
    wishes.waits = depth_ > 0 && last().isTimed;
}

/// Of a frame that ends, and is none any more.
void Recorder::addTime(const Frame& frame) {
    const std::uint64_t end = ticks_.now(), taken = end - frame.start;
    if (depth_ > 0) last().inside += taken;
    if (frame.site->count % 1024 == 64) ticks_.calibrate();
    frame.site->addTime(taken - std::min(taken, frame.inside), frame.waiting, ticks_.perTick());
    if (isTraced())
        events_->add({frame.start, end, frame.site->sent.bytes - frame.before.bytes,
                      frame.site->number, Event::Site});
}

/// `site` is about to be executed: opens the trace if that is where it is to start.
void Recorder::openTrace(const SiteRecord& site) {
    const TraceStart& start = *options_.start;
    isTraceOpen_ =
        start.file.empty()
            ? 1e-9 * static_cast<double>(nanoseconds() - ticks_.startTime()) >= start.seconds
            : site.where.line == start.line && site.count + 1 >= start.execution &&
                  start.isFile(site.where.file);
}

void Recorder::traceMessage(Event::Kind kind, int process, std::uint64_t number) {
    if (!isOwnThread() || !isTraced() || site_ == nullptr) return;
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
    if (recent == nullptr || recent->where.line != where.line || recent->what != name ||
        recent->where.file != where.file)
        recent = &newSite(name, where);
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
    isWaiting_ = wishes.waits && isKept(depth_ - 1);
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
        events_->add({waitStart_, now, 0, site_->number, Event::Wait});
}

void Recorder::waitEnds() {
    waitPauses();
    if (isOwnThread()) isWaiting_ = false;
}

void Recorder::sends(int, std::size_t bytes) {
    if (!isOwnThread()) return;
    Sent& sent = site_ != nullptr ? site_->sent : outside_;
    ++sent.messages;
    sent.bytes += bytes;
}

void Recorder::communicates(const Communication& communication) {
    if (isOwnThread() && site_ != nullptr) site_->add(communication);
}

void Recorder::findsSchedule() {
    if (isOwnThread() && site_ != nullptr) ++site_->cacheHits;
}

RecordedProcess Recorder::recorded() {
    ticks_.calibrate();
    RecordedProcess result;
    result.process = process_;
    result.seconds = 1e-9 * static_cast<double>(nanoseconds() - ticks_.startTime());
    result.outside = outside_;
    const double perTick = 1e-9 * ticks_.perTick();
    for (const SiteRecord& site : sites_) {
        result.sites.push_back({site.where.file,
                                site.what,
                                site.where.line,
                                site.count,
                                site.cacheHits,
                                perTick * site.ticks(),
                                perTick * site.waiting(),
                                site.isSampled(),
                                site.sent,
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
    for (; depth_ > 0 && isOwnThread(); end()) waitEnds();
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
