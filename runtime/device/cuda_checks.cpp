// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What kernels of CUDA have found of the subscripts that they check.
#include "device/checked_launches.hpp"
#include "device/cuda.hpp"

namespace hpspmd::detail {

bool CudaDevice::makeRoomForFound() {
    if (found_ != 0) return true;
    void* home = nullptr;
    CudaAddress made = 0;
    if (driver_.allocateAtHome(&home, foundBytes, cudaHostDeviceMap) != 0 ||
        driver_.allocate(&made, foundBytes) != 0 || driver_.fill(made, 0, foundBytes, stream_) != 0)
        return false;
    foundAtHome_ = static_cast<std::uint32_t*>(home);
    *foundAtHome_ = 0;
    found_ = made;
    return true;
}

std::vector<std::uint32_t> CudaDevice::takeFound() {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || found_ == 0 || driver_.useContext(context_) != 0) return {};
    if ((mayHaveFound_ && !wait()) || *foundAtHome_ == 0) return {};
    if (driver_.copyOut(foundAtHome_, found_, foundBytes, stream_) != 0 || !wait()) return {};
    std::vector<std::uint32_t> found(foundAtHome_, foundAtHome_ + foundWords);
    *foundAtHome_ = 0;
    hasFailed_ = driver_.fill(found_, 0, foundBytes, stream_) != 0;
    return found;
}

}  // namespace hpspmd::detail
