// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Combiner, how the values of two processes become one.

#include <cstddef>

namespace hpspmd::detail {

/// left = left o right for `bytes` bytes of values; `context` is the combiner's own.
struct Combiner {
    void (*apply)(void* left, const void* right, std::size_t bytes, const void* context);
    const void* context = nullptr;

    void operator()(void* left, const void* right, std::size_t bytes) const {
        apply(left, right, bytes, context);
    }
};

}  // namespace hpspmd::detail
