// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/operand.hpp>
#include <hpspmd/collective.hpp>
#include <hpspmd/error.hpp>
#include <string>

#include "files/disk_file.hpp"

namespace hpspmd::detail::files {

/// Enters a collective on a file; `array` is null if it has none.
Entered entered(const Call& call, const std::string& file, const Descriptor* array);

/// Runs a collective on a file; what fails becomes an IoError that names the file.
template <class Action>
auto onFile(const Call& call, const std::string& file, const char* what, const Action& action) {
    try {
        return action();
    } catch (const Failure& failure) {
        throw IoError(
            std::string(call.name) + ": cannot " + what + " '" + file + "': " + failure.what(),
            call.where);
    }
}

}  // namespace hpspmd::detail::files
