// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaStaging, memory of the host through which small copies go: the driver takes elements from
/// there, or puts them there, later than the call, so that who copies to the device need not wait.

#include "device/cuda_driver.hpp"

#include <cstddef>

namespace hpspmd::detail {

class CudaStaging {
public:
    /// Larger copies gain nothing.
    static constexpr std::size_t most = std::size_t(64) << 10;

    explicit CudaStaging(const CudaDriver& driver) : driver_(driver) {}

    bool takes(std::size_t bytes) const { return bytes <= most && !hasFailed_; }
    /// A place for so many bytes, of which takes() says true, until all of the queue has been done.
    /// Null if the queue must be done first, or there is no memory.
    std::byte* placeFor(std::size_t bytes);
    /// The queue has done all that it was given.
    void allDone() { used_ = 0; }
    bool isEmpty() const { return used_ == 0; }

private:
    static constexpr std::size_t capacity = 8 * most, line = 64;

    const CudaDriver& driver_;
    std::byte* memory_ = nullptr;  // as long as the program
    std::size_t used_ = 0;
    bool hasFailed_ = false;
};

}  // namespace hpspmd::detail
