// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_staging.hpp"

namespace hpspmd::detail {

std::byte* CudaStaging::placeFor(std::size_t bytes) {
    if (memory_ == nullptr && !hasFailed_) {
        void* made = nullptr;
        hasFailed_ = driver_.allocateAtHome(&made, capacity, 0) != 0;
        if (!hasFailed_) memory_ = static_cast<std::byte*>(made);
    }
    const std::size_t whole = (bytes + line - 1) / line * line;
    if (memory_ == nullptr || used_ + whole > capacity) return nullptr;
    std::byte* const place = memory_ + used_;
    used_ += whole;
    return place;
}

}  // namespace hpspmd::detail
