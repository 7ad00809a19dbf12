// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace hpcc::driver {

/// A standard stream that the caller has closed is opened in a way that lets every use fail, so
/// that no file gets its number and then what is meant for the stream.
void occupyStandardStreams();

/// Writes to the standard output; Failure if that is not possible. Everything that hpcc prints
/// there goes through here.
void print(std::string_view text);

/// Failure if something could not be written to the standard error output.
void requireMessagesWritten();

}  // namespace hpcc::driver
