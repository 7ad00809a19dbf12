// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a file that a user names.
#pragma once

#include <cstdint>
#include <string>

namespace hpcc::source {

// A longer text is refused: nobody writes one, and its tree would need more memory than there is.
constexpr std::uint64_t longestText = std::uint64_t{256} << 20;

// Why it cannot be read, as the end of "cannot read 'x': .."; "" if it is a regular file that can.
std::string problemOf(const std::string& path);

struct Content {
    std::string bytes;
    std::string problem;  // as problemOf says it
};

// All bytes of a regular file, but for the byte order mark of UTF-8 that editors put in front of
// it: so places count as if there were none. Anything else is refused without waiting for it: a
// pipe, a device (which may have no end), a folder, a text that is too long.
Content readContent(const std::string& path);

}  // namespace hpcc::source
