// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/reproducible.hpp>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace hpspmd {
namespace detail {
namespace {

bool isAskedFor() {
    const char* value = std::getenv("HPSPMD_REPRODUCIBLE");
    return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

std::atomic<bool>& reproducibleSums() {
    static std::atomic<bool> state{isAskedFor()};
    return state;
}

}  // namespace

bool sumsAreReproducible() { return reproducibleSums().load(std::memory_order_relaxed); }

}  // namespace detail

namespace Adlib {

void setReproducible(bool on) { detail::reproducibleSums().store(on, std::memory_order_relaxed); }

}  // namespace Adlib
}  // namespace hpspmd
