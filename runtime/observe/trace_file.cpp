// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/trace_file.hpp"

#include "observe/gathering.hpp"
#include "observe/result_file.hpp"

#include <cinttypes>

namespace hpspmd::detail {
namespace {

constexpr const char* kind = "trace (HPSPMD_TRACE)";

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

/// The events of this process; `zero`: the time that counts as 0.
std::string textOf(const RecordedProcess& own, const Events& events, const Ticks& ticks,
                   std::int64_t zero) {
    std::string text = nameOf(own);
    events.forEach([&](const Event& event) {
        const RecordedSite& site = own.sites[event.site];
        const std::int64_t start = ticks.toNanoseconds(event.start) - zero;
        const std::int64_t end = ticks.toNanoseconds(event.end) - zero;
        text += ",\n{\"ph\": \"X\", \"pid\": " + std::to_string(own.process) +
                ", \"tid\": 0, \"ts\": " + microseconds(start) +
                ", \"dur\": " + microseconds(end - start) + ", \"name\": ";
        if (event.isWait) {
            text += "\"waiting\", \"cat\": \"wait\"}";
            return;
        }
        text += quoted(site.what) +
                ", \"cat\": " + (site.what == "nest" ? "\"nest\"" : "\"collective\"") +
                ", \"args\": {\"file\": " + quoted(site.file) +
                ", \"line\": " + std::to_string(site.line) +
                ", \"bytes\": " + std::to_string(event.bytes) + "}}";
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
    ResultFile file(path, kind);
    file.write(begin() + end(false));
    file.commit();
}

void writeTrace(const std::string& path, const RecordedProcess& own, const Events& events,
                const Ticks& ticks) {
    const std::string text = textOf(own, events, ticks, sharedZero(ticks.startTime()));
    if (own.process != 0) return gatherTexts(text, {});
    ResultFile file(path, kind);
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
    ResultFile file(path, kind);
    file.write(begin() + textOf(own, events, ticks, ticks.startTime()) + end(false));
    file.commit();
}

}  // namespace hpspmd::detail
