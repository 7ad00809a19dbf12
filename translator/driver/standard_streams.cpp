// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/standard_streams.hpp"

#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "driver/failure.hpp"
#include "driver/files.hpp"

namespace hpcc::driver {

void occupyStandardStreams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // The lowest number that is free: this one.
        [[maybe_unused]] const int opened =
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void print(std::string_view text) {
    if (const int error = writeAll(STDOUT_FILENO, text))
        throw Failure(ExitCode::SourceError,
                      fmt::format("cannot write to the standard output: {}", std::strerror(error)));
}

void requireMessagesWritten() {
    if (std::cerr.flush()) return;
    throw Failure(ExitCode::SourceError, "cannot write to the standard error output");
}

}  // namespace hpcc::driver
