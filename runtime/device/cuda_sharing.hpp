// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaSharing, memory of GPUs that processes open by CUDA IPC.

#include "device/cuda_aside.hpp"
#include "device/cuda_driver.hpp"
#include "device/sharing.hpp"

namespace hpspmd::detail {

class CudaSharing : public DeviceSharing {
public:
    /// devices::Unusable if the driver is too old.
    CudaSharing(const devices::Library& library, CudaHandle context, const CudaAside& streams,
                const devices::CudaDevice& device);

    DeviceId id() const override { return id_; }
    std::string problem() const override { return problem_; }
    bool isCrowded() const override { return isCrowded_; }
    void noteCrowd() override { isCrowded_ = true; }
    bool share(std::byte* memory, SharedName& name) override;
    std::byte* open(const SharedName& name) override;
    std::byte* reach(void* pages, std::size_t bytes) override;
    bool signal(std::byte* flag, std::uint32_t number) override;
    bool await(std::byte* flag, std::uint32_t number) override;

private:
    using Handle = CudaHandle;
    /// CUipcMemHandle
    struct Name {
        SharedName bytes;
    };

    bool isDone(const char* call, int code);
    bool useContext() { return isDone("cuCtxSetCurrent", use_(context_)); }

    Handle context_;
    const CudaAside& streams_;
    DeviceId id_{};
    bool isCrowded_;
    std::string problem_;
    devices::Function<int(Handle)> use_;
    devices::Function<int(Name*, CudaAddress)> nameOf_;
    devices::Function<int(CudaAddress*, Name, unsigned)> open_;
    devices::Function<int(void*, std::size_t, unsigned)> register_;
    devices::Function<int(CudaAddress*, void*, unsigned)> addressOf_;
    devices::Function<int(Handle, CudaAddress, std::uint32_t, unsigned)> write_;
    devices::Function<int(Handle, CudaAddress, std::uint32_t, unsigned)> wait_;
};

}  // namespace hpspmd::detail
