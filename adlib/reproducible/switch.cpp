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

}  // namespace

bool askForReproducibleSums() {
    reproducibleSums.store(isAskedFor() ? 1 : 0, std::memory_order_relaxed);
    return sumsAreReproducible();
}

}  // namespace detail

namespace Adlib {

void setReproducible(bool on) {
    detail::reproducibleSums.store(on ? 1 : 0, std::memory_order_relaxed);
}

}  // namespace Adlib
}  // namespace hpspmd
