// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace hpcc::nests {

/// A word of CUDA, OpenCL C or the kernel macros, or a function that they know, which no
/// variable of a kernel may have as a name.
bool isReservedInKernels(std::string_view name);

/// What kernels call instead of a mathematical function of C++, named as the program names it; ""
/// if they know none: `larger` of `std::max`.
std::string kernelFunction(std::string_view name);

/// The word for a local number of a kernel: OpenCL C has no `long long`, and `long` has 64 bits.
std::string localWord(std::string word);
/// And for one that the host gives to it: OpenCL C takes no bool there.
std::string valueWord(std::string word);

/// True if OpenCL C knows elements of that type, laid out as those of the host.
bool isOpenClElement(const std::string& word);

/// Code on one line, without comments.
std::string compact(const std::string& code);

}  // namespace hpcc::nests
