// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "observe/trace_options.hpp"

#include "observe/observers.hpp"

#include <hpspmd/error.hpp>

#include <charconv>

namespace hpspmd::detail {
namespace {

template <class Number>
bool isWholly(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<TraceStart> time(std::string_view text) {
    TraceStart start;
    const std::string_view units = "smh";
    double unit = 1;
    if (const std::size_t at = units.find(text.back()); at != std::string_view::npos) {
        unit = at == 0 ? 1 : at == 1 ? 60 : 3600;
        text.remove_suffix(1);
    }
    if (!isWholly(text, start.seconds) || !(start.seconds >= 0)) return std::nullopt;
    start.seconds *= unit;
    return start;
}

}  // namespace

std::optional<TraceStart> TraceStart::read(const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::size_t last = text.rfind(':');
    if (last == std::string::npos) return time(text);
    const std::size_t colon = last == 0 ? std::string::npos : text.rfind(':', last - 1);
    if (colon == std::string::npos || colon == 0) return std::nullopt;
    TraceStart start;
    start.file = text.substr(0, colon);
    const std::string_view numbers = text;
    if (!isWholly(numbers.substr(colon + 1, last - colon - 1), start.line) ||
        !isWholly(numbers.substr(last + 1), start.execution))
        return std::nullopt;
    if (start.line < 1 || start.execution < 1) return std::nullopt;
    return start;
}

bool TraceStart::isFile(std::string_view path) const {
    if (path.size() < file.size() || path.substr(path.size() - file.size()) != file) return false;
    return path.size() == file.size() || path[path.size() - file.size() - 1] == '/';
}

TraceOptions traceOptions() {
    TraceOptions options;
    options.showsMessages = !variable("HPSPMD_TRACE_MESSAGES").empty();
    const std::string from = variable("HPSPMD_TRACE_FROM");
    if (from.empty()) return options;
    options.start = TraceStart::read(from);
    if (!options.start)
        throw AdlibError("HPSPMD_TRACE_FROM is '" + from +
                             "'; it may be a time, as 90, 90s, 10m or 2h, or the execution of a "
                             "line, as heat.hpcpp:42:100",
                         {});
    return options;
}

}  // namespace hpspmd::detail
