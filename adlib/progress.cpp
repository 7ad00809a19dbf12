// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>
#include <adlib/progress.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <hpspmd/environment.hpp>
#include <hpspmd/error.hpp>
#include <limits>

namespace hpspmd::Adlib {
namespace {

double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

template <class... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
    char text[64];
    std::snprintf(text, sizeof text, format, arguments...);
    return text;
}

/// "45 s", "3:20 min", "2:05 h"
std::string duration(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(std::min(seconds, 1e15)));
    if (whole < 60) return formatted("%lld s", whole);
    if (whole < 3600) return formatted("%lld:%02lld min", whole / 60, whole % 60);
    return formatted("%lld:%02lld h", whole / 3600, whole % 3600 / 60);
}

/// As JSON has it, which knows no infinity.
std::string number(double value) {
    return std::isfinite(value) ? formatted("%.12g", value) : "null";
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20)
            result += formatted("\\u%04x", c);
        else if (c == '"' || c == '\\')
            result += {'\\', c};
        else
            result += c;
    }
    return result + '"';
}

/// What has been printed so far comes before.
void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

Progress::Style Progress::wantedStyle(detail::Where where) {
    const char* const value = std::getenv("HPSPMD_PROGRESS");
    const std::string wanted = value != nullptr ? value : "";
    if (wanted != "" && wanted != "off" && wanted != "json" && wanted != "lines" &&
        wanted != "terminal")
        throw AdlibError(
            "HPSPMD_PROGRESS is '" + wanted + "'; it may be off, json, lines or terminal", where);
    detail::startEnvironment();
    if (wanted == "off" || detail::ownRank() != 0) return Style::Off;
    if (wanted == "json") return Style::Json;
    if (wanted == "terminal" || (wanted == "" && ::isatty(STDERR_FILENO) != 0))
        return Style::Terminal;
    return Style::Lines;
}

Progress::Progress(std::string name, Index steps, detail::Where where)
    : name_(std::move(name)),
      steps_(std::max<Index>(steps, 0)),
      style_(wantedStyle(where)),
      start_(seconds()),
      told_(start_),
      lookedAt_(start_) {
    if (style_ == Style::Off) nextCall_ = std::numeric_limits<std::uint64_t>::max();
}

Progress::~Progress() {
    if (isLineOpen_) print("\n");
}

void Progress::look(Index step, const char* valueName, double value) {
    const double now = seconds();
    const Index done = step + 1;
    if (!hasFirst_) first_ = step;
    hasFirst_ = true;
    if (isDue(done, now)) {
        const std::string text = style_ == Style::Json ? json(done, now, valueName, value)
                                                       : line(done, now, valueName, value);
        isLineOpen_ = style_ == Style::Terminal;
        print(isLineOpen_ ? "\r" + text + "\x1b[K" : text + "\n");
        told_ = now;
        if (steps_ > 0) toldTenths_ = done * 10 / steps_;
    }
    nextCall_ = calls_ + callsUntilLook(step, now);
    lookedAt_ = now;
    lookedCalls_ = calls_;
    lookedStep_ = step;
}

/// The next look comes after about a twentieth of a second, and not behind the next tenth of the
/// steps, as far as the calls since the last one tell.
std::uint64_t Progress::callsUntilLook(Index step, double now) const {
    constexpr double pause = 0.05, most = 1e6;
    const auto calls = static_cast<double>(calls_ - lookedCalls_);
    double next = std::min(most, pause * calls / std::max(now - lookedAt_, 1e-9));
    next = std::min(next, 2 * static_cast<double>(calls_));  // the first ones may be quicker
    const auto steps = static_cast<double>(step - lookedStep_);
    const Index tenth = std::max<Index>((toldTenths_ + 1) * steps_ + 9, 0) / 10 - 1;
    if (tenth > step && steps > 0)
        next = std::min(next, std::floor(static_cast<double>(tenth - step) * calls / steps));
    return static_cast<std::uint64_t>(std::max(next, 1.0));
}

bool Progress::isDue(Index done, double now) const {
    const bool isEnd = steps_ > 0 && done >= steps_;
    if (style_ == Style::Terminal) return isEnd || now - told_ >= 0.1;
    return now - told_ >= 30 || (steps_ > 0 && done * 10 / steps_ > toldTenths_);
}

double Progress::rate(Index done, double now) const {
    return static_cast<double>(done - first_) / std::max(now - start_, 1e-9);
}

std::string Progress::line(Index done, double now, const char* valueName, double value) const {
    std::string text = name_ + ": " + std::to_string(done);
    const double rate = this->rate(done, now);
    if (steps_ > 0)
        text += " of " + std::to_string(steps_) +
                formatted(" (%d %%)", static_cast<int>(100.0 * static_cast<double>(done) /
                                                       static_cast<double>(steps_)));
    text += formatted(", %.3g/s, ", rate);
    if (steps_ > done)
        text += duration(static_cast<double>(steps_ - done) / rate) + " left";
    else
        text += duration(now - start_);
    if (valueName != nullptr) text += ", " + std::string(valueName) + formatted(" %.4g", value);
    return text;
}

std::string Progress::json(Index done, double now, const char* valueName, double value) const {
    const double rate = this->rate(done, now);
    std::string text = "{\"progress\": " + quoted(name_) + ", \"done\": " + std::to_string(done);
    if (steps_ > 0)
        text += ", \"steps\": " + std::to_string(steps_) +
                ", \"left\": " + number(static_cast<double>(steps_ - done) / rate);
    text += ", \"seconds\": " + number(now - start_) + ", \"rate\": " + number(rate);
    if (valueName != nullptr) text += ", " + quoted(valueName) + ": " + number(value);
    return text + "}";
}

}  // namespace hpspmd::Adlib
