// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/combining.hpp>
#include <cstddef>

#include "plan/plan.hpp"

namespace hpspmd::detail {

/// Copies the elements of `region` of the array at `data` to `out`, in the region's order; returns
/// the end of what was written. `size` is the element size in bytes.
char* pack(char* out, const void* data, const plan::Region& region, std::size_t size);

/// The inverse of pack, or combines the elements with what comes; returns the end of what was read.
const char* unpack(void* data, const char* in, const plan::Region& region, std::size_t size,
                   const Combining& combining = {});

/// Copies element by element from the array at `from` to the one at `to`, or combines.
void copyProduct(void* to, const void* from, const plan::Copy& copy, std::size_t size,
                 const Combining& combining = {});

}  // namespace hpspmd::detail
