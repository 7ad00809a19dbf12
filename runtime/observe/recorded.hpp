// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// Messages that were sent.
struct Sent {
    std::uint64_t messages = 0, bytes = 0;
};

/// What one process has recorded of a site.
struct RecordedSite {
    std::string file, what;
    int line = 0;
    std::uint64_t count = 0, cacheHits = 0;
    double seconds = 0, waiting = 0;
    bool isSampled = false;  ///< not all executions were timed
    Sent sent;
    std::vector<std::pair<std::string, std::uint64_t>> communications;  ///< JSON, and how many
};

struct RecordedProcess {
    int process = 0;
    double seconds = 0;  ///< from the start to the end
    Sent outside;        ///< of all sites
    std::vector<RecordedSite> sites;

    /// For a message to another process.
    std::string text() const;
    static RecordedProcess read(const std::string& text);
};

}  // namespace hpspmd::detail
