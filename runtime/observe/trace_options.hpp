// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What a trace is to hold: HPSPMD_TRACE_FROM, HPSPMD_TRACE_MESSAGES.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hpspmd::detail {

/// "10s": so long after the start of the program; "heat.hpcpp:42:100": the 100th execution of that
/// line.
struct TraceStart {
    double seconds = 0;
    std::string file;  ///< "" for a time
    int line = 0;
    std::uint64_t execution = 0;

    /// Nothing if the text is neither.
    static std::optional<TraceStart> read(const std::string& text);
    /// True if that is the file, which may be named by the end of its path.
    bool isFile(std::string_view path) const;
};

struct TraceOptions {
    bool showsMessages = false;
    std::optional<TraceStart> start;
};

/// As the environment asks for. AdlibError.
TraceOptions traceOptions();

}  // namespace hpspmd::detail
