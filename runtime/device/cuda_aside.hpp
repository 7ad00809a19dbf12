// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaAside, the second stream of a GPU, whose kernels begin before those of the first one that
/// wait for room.

#include "device/cuda_driver.hpp"

#include <optional>

namespace hpspmd::detail {

/// Of the context that is in use.
class CudaAside {
public:
    CudaAside(const CudaDriver& driver, CudaHandle first) : driver_(driver), first_(first) {}

    /// What it does from here on begins behind what the first stream has to do now. Nothing if the
    /// driver is too old, or fails.
    void open();
    /// The first stream waits for it, or this thread if the driver fails. False if it has failed.
    bool join();
    /// That of what this thread asks for.
    CudaHandle chosen() const { return isChosen() ? stream_ : first_; }
    bool isChosen() const;

private:
    using Handle = CudaHandle;
    struct Calls {
        explicit Calls(const devices::Library& library);

        devices::Function<int(int*, int*)> priorities;
        devices::Function<int(Handle*, unsigned, int)> createStream;
        devices::Function<int(Handle*, unsigned)> createEvent;
        devices::Function<int(Handle, Handle)> record;
        devices::Function<int(Handle, Handle, unsigned)> wait;
    };

    bool isMade();
    bool create();
    bool follows(Handle later, Handle earlier) const;

    const CudaDriver& driver_;
    Handle first_, stream_ = nullptr, event_ = nullptr;
    std::optional<Calls> calls_;
    bool wasTried_ = false, isOpen_ = false;
};

}  // namespace hpspmd::detail
