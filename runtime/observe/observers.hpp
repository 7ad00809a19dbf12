// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The observers that the environment can ask for; null where it does not.

#include <hpspmd/observe.hpp>

#include <memory>
#include <string>

namespace hpspmd::detail {

/// HPSPMD_WITNESS.
std::unique_ptr<Observer> newWitness(int process);
/// HPSPMD_PROFILE and HPSPMD_TRACE.
std::unique_ptr<Observer> newRecorder(int process);
/// HPSPMD_TOOLS.
std::unique_ptr<Observer> newTool(int process);

/// The value of a variable, "" if it is not set.
std::string variable(const char* name);

}  // namespace hpspmd::detail
