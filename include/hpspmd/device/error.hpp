// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <hpspmd/error.hpp>

namespace hpspmd {
namespace detail {

inline constexpr char deviceError[] = "DeviceError";

}  // namespace detail

/// A kernel has not ended well, or elements that only a device had are lost.
using DeviceError = detail::Named<detail::deviceError, 87>;

}  // namespace hpspmd
