// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace hpcc::nests {

/// A word of CUDA, OpenCL C or the kernel macros, which no variable of a kernel may have as a name.
bool isReservedInKernels(std::string_view name);

/// What kernels call instead of a mathematical function of C++, named as the program names it; ""
/// if they know none: `larger` of `std::max`.
std::string kernelFunction(std::string_view name);

/// Code on one line, without comments.
std::string compact(const std::string& code);

}  // namespace hpcc::nests
