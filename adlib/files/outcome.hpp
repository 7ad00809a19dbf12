// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <hpspmd/collective.hpp>
#include <string>

namespace hpspmd::detail::files {

/// What has failed in the processes of a collective: each may have a message; all get to know the
/// one of the lowest rank.
class Outcome {
public:
    explicit Outcome(const Entered& entered) : entered_(entered) {}

    /// Does something that throws Failure if it fails; nothing if something has failed here before.
    void attempt(const std::function<void()>& action);
    /// Collective. True if it has failed in any process.
    bool hasFailed();
    /// Collective: Failure if it has, with the same text in all processes.
    void require();

private:
    const Entered& entered_;
    std::string text_;
    bool failed_ = false;
};

/// Collective: the text that the first process has, in all.
std::string told(const Entered& entered, std::string text);

}  // namespace hpspmd::detail::files
