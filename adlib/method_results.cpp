// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/method_results.hpp>

#include <adlib/reduction.hpp>

namespace hpspmd::detail {
namespace {

/// Takes over the values that the other state has.
void unite(void* left, const void* right, std::size_t bytes, const void* valueSize) {
    auto* const mine = static_cast<char*>(left);
    const auto* const others = static_cast<const char*>(right);
    const std::size_t each = 1 + *static_cast<const std::size_t*>(valueSize);
    for (std::size_t at = 0; at < bytes; at += each)
        if (others[at] != 0) std::memcpy(mine + at, others + at, each);
}

}  // namespace

void gatherResults(std::vector<char>& state, std::size_t valueSize, Where where) {
    combineOverApg({"reduce", where}, state.data(), state.size(), {unite, &valueSize});
}

}  // namespace hpspmd::detail
