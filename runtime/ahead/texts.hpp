// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Texts of kernels in what the preprocessor makes of HPSPMD_KERNEL under HPSPMD_AHEAD.

#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::ahead {

/// As the KernelText of the program has it.
struct Text {
    std::string name, functions, nest;
    int line = 0, mappedLoops = 0;
    bool isGuess = false;  ///< nobody knows whether the program has it, and it may not compile
    bool isWideOnly = false;
};

/// Each once, in what the preprocessor makes of
///
///     HPSPMD_KERNEL(..)                                          the kernel of a nest
///     HPSPMD_KERNEL_OF(..)                                       that of a nest in a template, for
///     hpspmd_types("double", "float")                            each choice of these types, up to
///                                                                mostInstances
///     hpspmd_reduction("SUM", "elements", "double", "2")         of arrays of two dimensions
///     hpspmd_reduction("SUM", "products", "double", "2")         of the products of two
///
/// std::runtime_error if the text is cut off.
std::vector<Text> textsIn(const std::string& preprocessed);

inline constexpr std::size_t mostInstances = 16;

}  // namespace hpspmd::ahead
