// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The file of a profile, JSON (docs/tools.md): what all processes have recorded, by site.

#include "observe/recorded.hpp"

#include <string>

namespace hpspmd::detail {

/// A file of a job that has not come to its end. IoError.
void beginProfile(const std::string& path);

/// Collective over the job; process 0 writes. IoError.
void writeProfile(const std::string& path, const RecordedProcess& own);

/// What this process alone has recorded: the job is ended by an error.
void writeOwnProfile(const std::string& path, const RecordedProcess& own);

}  // namespace hpspmd::detail
