// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/cost.hpp>
#include <string>

namespace hpspmd::detail::cost {

/// A flat JSON object of numbers: "latency": 2e-6, ..; invalid_argument.
Adlib::Machine readMachine(const std::string& path);

}  // namespace hpspmd::detail::cost
