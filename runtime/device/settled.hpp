// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Nests whose arrays are where the nest before left them: loops in time launch the same kernels
/// again and again, and nothing has to be asked or copied until an array moves.

#include "device/backend.hpp"
#include "device/mirror.hpp"

#include <hpspmd/device/nest_run.hpp>

#include <cstdint>
#include <vector>

namespace hpspmd::detail {

/// The device that all of a nest has run on, by what was true then.
struct SettledNest {
    const KernelText* kernel = nullptr;
    Site site;
    Target target;  ///< of `on`
    Backend* device = nullptr;
    Strides strides = Strides::Wide;
    std::uint64_t moves = 0;  ///< Mirror::moves()
    std::vector<Mirror*> mirrors = {};
};

/// Null if the nest has not run in this thread, or its arrays must be taken anew. Else they are.
const SettledNest* settledNest(const KernelText& kernel, const Site& site, const Taken* begin,
                               const Taken* end);

/// The device has taken all arrays of the nest, and the whole of each; `moves` as before that.
void noteSettled(const KernelText& kernel, const Site& site, Backend& device, Strides strides,
                 std::uint64_t moves, const Taken* begin, const Taken* end);

}  // namespace hpspmd::detail
