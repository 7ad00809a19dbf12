// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/scan.hpp>
#include <hpspmd/collective.hpp>

#include "plan/scan.hpp"
#include "transport/messages.hpp"

namespace hpspmd::detail {

/// The executor of a scan whose processes hold one stretch of each line. Each makes the prefixes of
/// its own elements and passes on what its lines come to, to processes at doubling distances; then
/// it completes the prefixes by what comes before.
class LineScan {
public:
    LineScan(plan::ScanPlan plan, std::size_t elementSize);

    void start(const Entered& entered, void* to, const void* from, const Scanner& scanner);
    void finish();

private:
    struct Step {
        transport::Peer to, from;
        bool sends, receives;
    };

    template <class Take>
    void forEachLine(const Take& take) const;
    void post(const Step& step);
    void take(const Step& step, bool isLast);

    plan::ScanPlan plan_;
    std::size_t elementSize_;
    std::vector<Step> steps_;
    transport::Messages messages_;
    Scanner scanner_{};
    char* to_ = nullptr;
    const char* from_ = nullptr;
    /// One state for each line: of the elements up to the own ones, of those before, and of some
    /// before that are arriving.
    std::vector<char> mine_, before_, arriving_;
    bool hasBefore_ = false;
};

}  // namespace hpspmd::detail
