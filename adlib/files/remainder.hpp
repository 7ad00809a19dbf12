// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <hpspmd/where.hpp>

namespace hpspmd::detail::files {

// The checksum CRC-32 of bytes that several processes have, without bringing them together: it is
// the remainder of a polynomial, which is the sum (^) of those of its parts, each times a power of
// x.

/// That of the bytes, behind others that have the remainder `before`.
std::uint32_t remainderOf(const char* bytes, Index count, std::uint32_t before = 0);
/// The same as any processor can compute it.
std::uint32_t remainderByTables(const char* bytes, Index count, std::uint32_t before = 0);
/// That of bytes with this remainder and `behind` zeros behind them.
std::uint32_t moved(std::uint32_t remainder, Index behind);
/// The CRC-32, as zip files and zlib have it, of `count` bytes with this remainder.
std::uint32_t crcOf(std::uint32_t remainder, Index count);

}  // namespace hpspmd::detail::files
