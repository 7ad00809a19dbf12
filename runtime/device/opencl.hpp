// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// OpenClDevice, a device of OpenCL with a queue.

#include "device/backend.hpp"
#include "device/opencl_kernels.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace hpspmd::detail {

/// Called by programs that have kernels (hpspmd/device/registration.hpp), which makes `opencl` and
/// `gpu` targets of theirs.
bool registerOpenCl();

class OpenClDevice : public Backend {
public:
    /// devices::Unusable
    OpenClDevice(const devices::Library& library, const devices::ClDevice& device, int time,
                 bool isCrowded);

    const char* name() const override { return name_.c_str(); }
    std::byte* allocate(std::size_t bytes, std::size_t around) override;
    void release(std::byte* memory, std::size_t bytes) noexcept override;
    bool clear(std::byte* memory, std::size_t bytes) override;
    bool copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) override;
    bool copyIn(std::byte* memory, const std::byte* home, const Box& box) override;
    void finish() override;
    bool isBusy() const override;
    void flush() override;
    bool isCrowded() override { return isCrowded_; }
    std::string lastLaunched() const override;
    std::string prepare(const KernelText& kernel, Strides strides) override;
    std::vector<std::uint32_t> takeFound() override;
    void invalidated(std::byte*, std::size_t, std::size_t) override {}

protected:
    bool startKernel(const KernelText& kernel, Strides strides, void** arguments,
                     const JoinPieces* joins) override;
    bool bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) override;
    bool bringHome(std::byte* home, const std::byte* memory, const Box& box) override;

private:
    struct Buffer {
        ClHandle handle;
        std::byte* begin;
    };
    struct Launched {
        ClHandle event;
        const KernelText* kernel;
    };

    ClHandle contextOf(const devices::ClDevice& device) const;
    const Buffer& bufferAt(const void* address) const;
    std::size_t beginOf(const std::byte* memory) const;
    bool copy(const devices::Function<OpenClDriver::CopyRectangle>& copies, std::byte* home,
              const std::byte* memory, const Box& box) const;
    bool makeRoomForPieces(std::size_t numbers);
    bool makeRoomForFound();
    bool clearFound();
    bool setArguments(const KernelText& kernel, ClHandle handle,
                      const DeviceArguments& arguments) const;
    void join(const KernelText& kernel, std::size_t groups, void** arguments,
              const JoinPieces* joins);
    bool hasEndedWell();

    mutable std::mutex mutex_;
    OpenClDriver driver_;
    std::string name_;
    const bool isCrowded_;
    ClHandle context_, queue_ = nullptr;
    ClKernels kernels_;
    std::uintptr_t nextAddress_;
    std::map<std::uintptr_t, Buffer> buffers_;  // by the first address that belongs to each
    std::vector<ClHandle> pieces_;              // of numbers that are joined, one per group
    ClHandle found_ = nullptr;                  // of checked subscripts
    bool mayHaveFound_ = false;                 // since takeFound()
    std::vector<Launched> launched_;            // not yet known to have ended
    const KernelText* last_ = nullptr;
    const KernelText* failed_ = nullptr;  // nothing can be relied on after that
};

}  // namespace hpspmd::detail
