// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "invariance/witness_file.hpp"

namespace hpspmd::invariance {

/// The elements of an array as a run has written them out.
struct Elements {
    struct Element {
        std::string bytes;
        int process = 0;
    };
    std::unordered_map<std::int64_t, Element> at;  ///< by the place in row-major order

    /// Of the files <path>.<rank>.elements.
    static Elements read(const std::string& path, int processes, unsigned bytes);
};

/// What two runs have made of one array.
struct ElementDifference {
    std::vector<std::int64_t> subscripts;  ///< of the first element that differs
    std::string first, second;             ///< its values
    int process = 0;                       ///< that holds it in the second run
    std::int64_t differing = 0, all = 0, atEdges = 0;
    double largest = 0;  ///< relative difference; of floating-point numbers
};
/// Floating-point numbers that are near, if `tolerance` is not 0, do not differ.
ElementDifference compareElements(const Elements& first, const Elements& second, const Told& told,
                                  double tolerance);

}  // namespace hpspmd::invariance
