// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/where.hpp>

#include <cstdint>
#include <string>

namespace hpspmd::Adlib {

/// How far a loop has come: step, steps in a second, time left, on stderr of process 0.
///
///     Adlib::Progress progress("relax", steps);
///     for (Index step = 0; step < steps; ++step) {
///         ..
///         progress.at(step, "residual", residual);     // this step has been done
///     }
///
/// On a terminal one line that changes, at most ten times a second; elsewhere a line at every tenth
/// of the steps, and after 30 seconds without one. The environment variable HPSPMD_PROGRESS: "off",
/// "json" (a line of JSON in place of each of text), "lines", "terminal". No process communicates,
/// and a call that has nothing to say does not even read the clock.
class Progress {
public:
    /// Steps 0 .. steps - 1; steps = 0: nobody knows how many.
    explicit Progress(std::string name, Index steps = 0,
                      detail::Where where = detail::Where::here());
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(Index step, const char* valueName = nullptr, double value = 0) {
        if (++calls_ >= nextCall_) look(step, valueName, value);
    }

private:
    enum class Style { Off, Lines, Terminal, Json };

    static Style wantedStyle(detail::Where where);
    void look(Index step, const char* valueName, double value);
    std::uint64_t callsUntilLook(Index step, double now) const;
    bool isDue(Index done, double now) const;
    std::string line(Index done, double now, const char* valueName, double value) const;
    std::string json(Index done, double now, const char* valueName, double value) const;
    double rate(Index done, double now) const;

    const std::string name_;
    const Index steps_;
    const Style style_;
    const double start_;
    double told_;  // when something was told last
    Index toldTenths_ = 0;
    Index first_ = 0;  // the first step that was done
    bool hasFirst_ = false, isLineOpen_ = false;
    std::uint64_t calls_ = 0, nextCall_ = 1;
    double lookedAt_;
    std::uint64_t lookedCalls_ = 0;
    Index lookedStep_ = -1;
};

}  // namespace hpspmd::Adlib
