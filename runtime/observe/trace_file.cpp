// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/trace_file.hpp"

#include "observe/gathering.hpp"
#include "observe/result_file.hpp"

#include <cinttypes>

namespace hpspmd::detail {
namespace {

constexpr const char* traceKind = "trace (HPSPMD_TRACE)";

/// The name of a process, as JSON.
std::string nameOf(const RecordedProcess& own) {
    const std::string number = std::to_string(own.process);
    return "{\"ph\": \"M\", \"pid\": " + number +
           ", \"tid\": 0, \"name\": \"process_name\", \"args\": {\"name\": \"process " + number +
           "\"}}";
}

/// "12.345", microseconds.
std::string microseconds(std::int64_t time) {
    char text[40];
    std::snprintf(text, sizeof text, "%s%" PRId64 ".%03d", time < 0 ? "-" : "",
                  (time < 0 ? -time : time) / 1000,
                  static_cast<int>((time < 0 ? -time : time) % 1000));
    return text;
}

/// "ph": "X", "pid": 0, "tid": 0, "ts": 1.5
std::string head(const char* phase, int process, std::int64_t time) {
    return std::string("{\"ph\": \"") + phase + "\", \"pid\": " + std::to_string(process) +
           ", \"tid\": 0, \"ts\": " + microseconds(time);
}

/// What took time; `start`, `duration`: nanoseconds.
std::string stretchText(const RecordedProcess& own, const Event& event, std::int64_t start,
                        std::int64_t duration) {
    const std::string text =
        head("X", own.process, start) + ", \"dur\": " + microseconds(duration) + ", \"name\": ";
    if (event.kind == Event::Wait) return text + "\"waiting\", \"cat\": \"wait\"}";
    const RecordedSite& site = own.sites[event.site];
    return text + quoted(site.what) +
           ", \"cat\": " + (site.what == "nest" ? "\"nest\"" : "\"collective\"") +
           ", \"args\": {\"file\": " + quoted(site.file) +
           ", \"line\": " + std::to_string(site.line) +
           ", \"bytes\": " + std::to_string(event.bytes) + "}}";
}

/// The begin or the end of an arrow, of which the two processes and a number are the name.
std::string messageText(int own, const Event& event, std::int64_t time) {
    const bool departs = event.kind == Event::Departure;
    const std::string mine = std::to_string(own), other = std::to_string(event.site);
    return head(departs ? "s" : "f", own, time) + (departs ? "" : ", \"bp\": \"e\"") +
           ", \"name\": \"message\", \"cat\": \"from " + (departs ? mine : other) + " to " +
           (departs ? other : mine) + "\", \"id\": " + std::to_string(event.bytes) + "}";
}

/// The events of this process; `zero`: the time that counts as 0.
std::string textOf(const RecordedProcess& own, const Events& events, const Ticks& ticks,
                   std::int64_t zero) {
    std::string text = nameOf(own);
    events.forEach([&](const Event& event) {
        const std::int64_t start = ticks.toNanoseconds(event.start) - zero;
        const std::int64_t end = ticks.toNanoseconds(event.end) - zero;
        const bool isMessage = event.kind == Event::Departure || event.kind == Event::Arrival;
        text += ",\n" + (isMessage ? messageText(own.process, event, start)
                                   : stretchText(own, event, start, end - start));
    });
    return text;
}

std::string begin() { return "{\"traceEvents\": [\n"; }

std::string end(bool isComplete) {
    return std::string("\n],\n\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"program\": ") +
           quoted(programName()) + ", \"complete\": " + (isComplete ? "true" : "false") + "}}\n";
}

}  // namespace

void beginTrace(const std::string& path) {
    ResultFile file(path, traceKind);
    file.write(begin() + end(false));
    file.commit();
}

void writeTrace(const std::string& path, const RecordedProcess& own, const Events& events,
                const Ticks& ticks) {
    const std::string text = textOf(own, events, ticks, sharedZero(ticks.startTime()));
    if (own.process != 0) return gatherTexts(text, {});
    ResultFile file(path, traceKind);
    const char* separator = "";
    file.write(begin());
    gatherTexts(text, [&](const std::string& part) {
        file.write(separator + part);
        separator = ",\n";
    });
    file.write(end(true));
    file.commit();
}

void writeOwnTrace(const std::string& path, const RecordedProcess& own, const Events& events,
                   const Ticks& ticks) {
    ResultFile file(path, traceKind);
    file.write(begin() + textOf(own, events, ticks, ticks.startTime()) + end(false));
    file.commit();
}

}  // namespace hpspmd::detail
