// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/toolchain.hpp"

namespace hpcc::driver {

/// Of --device-arch=sm_80,compute_90. Failure(Usage) if one is no name of an architecture.
std::vector<std::string> architecturesIn(const std::string& value);

/// C++ to stand behind a translated text: the kernels in it, and in the headers translated to
/// `headers`, made for the architectures of the options. Empty if it has no kernels, or none are
/// wanted. Failure(ToolchainMissing) without NVRTC, Failure(Usage) if it does not know one.
std::string kernelsAhead(const Toolchain& toolchain, const Options& options,
                         const std::string& translated, const std::filesystem::path& headers);

}  // namespace hpcc::driver
