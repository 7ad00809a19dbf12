// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Libraries that read files in a process of their own: at some that are damaged they crash, or do
/// not come to an end.

#include <functional>
#include <string>

#include <sys/types.h>

namespace hpspmd::detail::files {

/// A process that answers questions about a file. It knows what this one knew when it was made, and
/// ends with it or before it. What is made in such a process answers there.
class Apart {
public:
    /// An answer to a question; what it throws is a Failure here.
    using Answer = std::function<std::string(const std::string& question)>;
    /// `library` is named if it crashes.
    Apart(std::string library, Answer answer);
    Apart(const Apart&) = delete;
    Apart& operator=(const Apart&) = delete;
    ~Apart();

    /// Failure if there is none, or it takes more than so many seconds of a processor.
    std::string ask(const std::string& question, int seconds);

private:
    [[noreturn]] void serve(int connection, const Answer& answer) const;
    [[noreturn]] void raiseEnded();

    std::string library_;
    Answer answer_;  ///< empty if a process of its own has it
    pid_t process_ = -1;
    int connection_ = -1;
};

}  // namespace hpspmd::detail::files
