// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Words that name targets, and the file that HPSPMD_RULES names: lines `pattern:target`.

#include <hpspmd/target.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// A target, or what is wrong with the words that should name one: "'gpus' is no target: ..".
struct TargetWords {
    std::optional<Target> target;
    std::string problem;
    bool isKnown = true;  ///< false: not even the word before the number is one
};

/// "threads", "threads:4", "gpu!", "cuda:1", "opencl:0.0".
TargetWords targetNamed(const std::string& words);

/// Why it cannot be meant: chunks of no rows. Empty if it can.
std::string problemOf(const Target& target);

/// "gpu", "cuda:1"
std::string nameOf(const Target& target);

/// What the rules say. A pattern is `file:line`, where the file's name or the end of its path is
/// given, the name of a function, with as much of its class and namespace as is given, or `*`.
/// Among lines of one kind the last that matches wins; lines of places come before the others.
/// Empty lines and those that begin with # say nothing.
class Rules {
public:
    /// TargetUnavailable, with the number of the line, for what is no rule.
    static Rules parsed(const std::string& text, const std::string& file);

    struct Found {
        Target target;
        int line;  // of the file
    };
    std::optional<Found> at(const Site& site) const;

private:
    struct Place {
        std::string file;
        int line;
        Found says;
    };
    struct Function {
        std::string name;
        Found says;
    };

    std::vector<Place> places_;
    std::vector<Function> functions_;
};

}  // namespace hpspmd::detail
