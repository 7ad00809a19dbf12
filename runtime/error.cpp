// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <hpspmd/error.hpp>

#include "compose.hpp"

#include <hpspmd/environment.hpp>

namespace hpspmd {
namespace {

std::string message(const char* name, const std::string& text, detail::Where where, int rank) {
    std::string result;
    if (where.line > 0) result = detail::compose(where.file, ":", where.line, ": ");
    if (rank >= 0) result += detail::compose("rank ", rank, ": ");
    return result + name + ": " + text;
}

}  // namespace

Error::Error(const char* name, int exitCode, const std::string& text, detail::Where where)
    : std::runtime_error(message(name, text, where, detail::ownRank())),
      name_(name),
      exitCode_(exitCode),
      rank_(detail::ownRank()),
      where_(where) {
    detail::installTerminateHandler();
}

}  // namespace hpspmd
