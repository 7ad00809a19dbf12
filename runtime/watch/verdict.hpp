// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// What is said when collectives do not meet.

#include "compose.hpp"

#include <string>

namespace hpspmd::detail {

/// A process in a collective.
struct Party {
    int process;
    std::string name, file;
    int line;

    std::string text() const {
        return compose("rank ", process, " is in ", name, " (", file, ":", line, ")");
    }
};

inline std::string mismatchText(const Party& one, const Party& other) {
    return "the processes do not execute the same collective: " + one.text() + ", " + other.text() +
           (one.name == other.name ? " with other arguments" : "");
}

inline std::string endedText(const Party& waiting, int ended) {
    return compose(waiting.text(), " and waits for rank ", ended,
                   ", which has ended without this collective");
}

}  // namespace hpspmd::detail
