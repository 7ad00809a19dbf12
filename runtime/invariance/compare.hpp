// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invariance/witness_file.hpp"

namespace hpspmd::invariance {

/// What is different between two runs.
struct Comparison {
    std::optional<Event> first;  ///< the first event whose value differs
    bool isIncoherent = false;  ///< there, and in the second run: the copies differ from each other
    /// Sites that are not executed as often in both, up to the first difference.
    std::vector<Site> uneven;
    /// Sites whose arrays have other extents.
    std::vector<Site> reshaped;
};

/// `tolerance`: by how much floating-point numbers may differ, as areNear says; 0: not at all.
Comparison compare(const Witness& reference, const Witness& other, double tolerance);

/// The number of the first line in which two files differ, and the lines; 0 if they are equal.
struct LineDifference {
    int line = 0;
    std::string first, second;
};
LineDifference compareFiles(const std::string& first, const std::string& second, double tolerance);

}  // namespace hpspmd::invariance
