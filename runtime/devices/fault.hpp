// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Faults for tests: calls of drivers that fail on demand.

namespace hpspmd::devices {

/// True if the call that is about to be made is the one to fail. Then it is not made. The
/// environment variable HPSPMD_FAULT=device:n names it, the n-th call of each process (1, 2, ..),
/// to any driver; device:n+ means all further ones as well. HPSPMD_LOG=1 tells which it is. Every
/// call of a driver whose result matters passes here; those of the check device are its operations.
bool isFault(const char* call);

}  // namespace hpspmd::devices
