// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The command line of a verb that is a program of its own, `hpcc bill` or `hpcc layout`.

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hpspmd::detail::cost {

/// What `hpcc VERB` does not understand: the usage is shown with it.
struct WrongUse : std::runtime_error {
    using runtime_error::runtime_error;
};

/// What becomes of the words of a command line. An option is `-o value`, `--option value` or
/// `--option=value`; a flag takes no value. Each of the functions may throw a WrongUse.
struct CommandLine {
    std::string verb;                ///< bill
    std::vector<std::string> flags;  ///< --json
    /// A flag has the value "". False if there is no such option.
    std::function<bool(const std::string& name, const std::string& value)> option;
    std::function<void(const std::string& word)> word;

    /// WrongUse.
    void read(const std::vector<std::string>& words) const;
};

/// A whole program: `--help` alone prints the usage, a WrongUse ends with 2 and any other exception
/// with 1, both after a message; else the result is that of `perform`.
int performVerb(int argc, char** argv, const char* usage,
                const std::function<int(const std::vector<std::string>&)>& perform);

}  // namespace hpspmd::detail::cost
