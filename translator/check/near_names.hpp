// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpcc::check {

/// The candidate that a writer of `name` most likely meant, or "" if none is close: at most one
/// edit (insert, delete, replace, swap of neighbours) for names of up to four letters, two beyond.
/// `nearestName("writHalo", {"writeHalo", "remap"})` is "writeHalo".
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace hpcc::check
