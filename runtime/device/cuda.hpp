// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// CudaDevice, one of NVIDIA's GPUs with a stream.

#include "device/backend.hpp"
#include "device/cuda_aside.hpp"
#include "device/cuda_kernels.hpp"
#include "device/cuda_large_copies.hpp"
#include "device/cuda_peers.hpp"
#include "device/cuda_products.hpp"
#include "device/cuda_sharing.hpp"
#include "device/cuda_staging.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace hpspmd::detail {

/// Called by programs that have kernels (hpspmd/device/registration.hpp), which makes `cuda` and
/// `gpu` targets of theirs.
bool registerCuda();

class CudaDevice : public Backend {
public:
    /// devices::Unusable
    CudaDevice(const devices::Library& library, const devices::CudaDevice& device);

    const char* name() const override { return name_.c_str(); }
    DeviceSharing* sharing() override;
    std::byte* allocate(std::size_t bytes, std::size_t around) override;
    void release(std::byte* memory, std::size_t bytes) noexcept override;
    bool clear(std::byte* memory, std::size_t bytes) override;
    bool copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) override;
    bool startCopyIn(std::byte* memory, const std::byte* home, std::size_t bytes) override;
    bool copyIn(std::byte* memory, const std::byte* home, const Box& box) override;
    bool copyFrom(Backend& other, std::byte* memory, const std::byte* there,
                  std::size_t bytes) override;
    bool pinHome(std::byte* home, std::size_t bytes) override;
    void unpinHome(std::byte* home) noexcept override;
    void finish() override;
    bool isBusy() const override;
    void openAside() override;
    bool joinAside() override;
    bool isCrowded() override;
    std::string lastLaunched() const override;
    std::string prepare(const KernelText& kernel, Strides strides) override;
    std::vector<std::uint32_t> takeFound() override;
    bool multiplies() override;
    const char* library() const override { return "cuBLAS"; }
    bool multiply(const KernelText& kernel, const MatrixProduct& product) override;
    void invalidated(std::byte*, std::size_t, std::size_t) override {}

protected:
    bool startKernel(const KernelText& kernel, Strides strides, void** arguments,
                     const JoinPieces* joins) override;
    bool bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) override;
    bool bringHome(std::byte* home, const std::byte* memory, const Box& box) override;
    const double* productHome(const MatrixProduct& product, Where where) override;

private:
    /// Numbers of groups, which kernels write into memory of the host.
    struct Pieces {
        void* home;
        CudaAddress onDevice;
    };

    CudaHandle contextOf(const devices::CudaDevice& device) const;
    CudaHandle newStream() const;
    std::byte* fromDriver(std::size_t bytes);
    void releaseSpare() noexcept;
    bool copy(const CudaCopy& copy);
    std::byte* stagingFor(std::size_t bytes);
    bool goesInPieces(const std::byte* home, std::size_t bytes);
    CudaPeers* peers();
    bool haveSendersFailed();
    bool makeRoomForPieces(std::size_t numbers);
    bool makeRoomForFound();
    void join(const KernelText& kernel, std::size_t groups, void** arguments,
              const JoinPieces* joins);
    void noteLaunched(const KernelText& kernel);
    bool wait();
    bool waitForCopy();
    std::string nestsUnderWay() const;
    void raiseIfFailed(const KernelText& kernel);
    [[noreturn]] void raiseFailed() const;

    mutable std::mutex mutex_;
    CudaDriver driver_;
    std::string name_;
    CudaHandle context_, stream_;
    CudaAside aside_;
    CudaKernels kernels_;
    CudaProducts products_;
    CudaSumsAtHome sums_;
    devices::CudaDevice device_;
    std::optional<std::unique_ptr<CudaSharing>> sharing_;  // null if the driver is too old for it
    std::optional<std::unique_ptr<CudaPeers>> peers_;      // null if the driver is too old for it
    std::vector<const CudaDevice*> senders_;               // since this device has waited last
    CudaStaging staging_;
    CudaLargeCopies largeCopies_;
    std::set<const std::byte*> pinned_;             // where memory at home begins
    std::multimap<std::size_t, std::byte*> spare_;  // memory to be used again, by its size
    std::vector<Pieces> pieces_;
    DeviceArguments given_;                    // of the last launch
    std::vector<void*> values_;                // and what the driver is given
    CudaAddress found_ = 0;                    // of checked subscripts
    std::uint32_t* foundAtHome_ = nullptr;     // the first word is what the last wait() has seen
    bool mayHaveFound_ = false;                // more since then
    std::vector<const KernelText*> underWay_;  // each once; not known to have ended
    const KernelText* last_ = nullptr;
    bool waitsForEach_ = false;
    bool hasFailed_ = false;  // nothing can be relied on after that
};

}  // namespace hpspmd::detail
