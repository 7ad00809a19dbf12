// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaPeers, the calls by which GPUs of one process give each other elements.

#include "device/cuda_driver.hpp"

#include <cstddef>
#include <vector>

namespace hpspmd::detail {

/// A GPU, and elements on it.
struct CudaPlace {
    CudaHandle context, stream;
    CudaAddress address;
};

/// Of one receiver.
class CudaPeers {
public:
    enum class Outcome : unsigned char { Copied, NotCopied, CopiedUnordered };

    /// devices::Unusable if the driver is too old, or fails.
    CudaPeers(const devices::Library& library, CudaHandle context);

    /// In the order of both queues: behind what they have to do now, and before what is given to
    /// them later. Nobody waits. CopiedUnordered: the sender's queue may go on before the copy has
    /// been made. What the two have in common with links between GPUs the driver uses.
    Outcome copy(const CudaPlace& to, const CudaPlace& from, std::size_t bytes);

private:
    using Handle = CudaHandle;
    static constexpr unsigned withoutTimes = 2;

    struct Sender {
        Handle context, event;
    };

    Handle newEvent();
    Handle eventOf(Handle context);

    devices::Function<int(Handle)> use_;
    devices::Function<int(Handle*, unsigned)> createEvent_;
    devices::Function<int(Handle, Handle)> record_;
    devices::Function<int(Handle, Handle, unsigned)> wait_;
    devices::Function<int(CudaAddress, Handle, CudaAddress, Handle, std::size_t, Handle)> copy_;
    devices::Function<int(Handle, unsigned)> reach_;
    Handle arrived_;               // an event of the receiver
    std::vector<Sender> senders_;  // that have sent something
};

}  // namespace hpspmd::detail
