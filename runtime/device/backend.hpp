// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Backend, what a device can do. Nothing else knows the kinds of devices.

#include <hpspmd/device/home.hpp>
#include <hpspmd/device/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// Of strides in a kernel: Narrow where all offsets into its arrays are ints, which takes half of
/// the registers.
enum class Strides : unsigned char { Narrow, Wide };

class DeviceSharing;

/// A device of this process, with one queue: what is asked for is done in that order.
class Backend {
public:
    virtual ~Backend() = default;

    /// True if addresses on the device mean something to the host as well.
    virtual bool isHostMemory() const { return false; }

    /// True if copies at home that are not valid are to be hidden (device/hidden_pages.hpp).
    virtual bool hidesHome() const { return false; }

    /// Null if elements cannot go from this device to one of another process.
    virtual DeviceSharing* sharing() { return nullptr; }

    /// As in HPSPMD_TARGET.
    virtual const char* name() const = 0;

    /// Addresses mean something to the device only; those up to `around` bytes outside are not
    /// given to anybody else. Null if there is no room.
    virtual std::byte* allocate(std::size_t bytes, std::size_t around) = 0;
    virtual void release(std::byte* memory, std::size_t bytes) noexcept = 0;
    /// Of memory, or a part of it. False if the device does not do it; the memory then holds
    /// anything. The home copy of copyIn may change at once.
    virtual bool clear(std::byte* memory, std::size_t bytes) = 0;
    virtual bool copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) = 0;
    /// The same of memory that has been pinned, which stays as it is until finish().
    virtual bool startCopyIn(std::byte* memory, const std::byte* home, std::size_t bytes) {
        return copyIn(memory, home, bytes);
    }
    /// The same for a part; `memory` and `home` are where the whole begins.
    virtual bool copyIn(std::byte* memory, const std::byte* home, const Box& box) = 0;
    /// False if the elements are lost, perhaps since a kernel before has failed. OutOfBounds if one
    /// has come to a subscript beyond a dimension (device/checked_launches.hpp).
    bool copyOut(std::byte* home, const std::byte* memory, std::size_t bytes);
    bool copyOut(std::byte* home, const std::byte* memory, const Box& box);
    /// Of another device of the process, in the order of the queues of both. False if nothing has
    /// been copied: elements go by way of the host then.
    virtual bool copyFrom(Backend& other, std::byte* memory, const std::byte* there,
                          std::size_t bytes) {
        static_cast<void>(other), static_cast<void>(memory), static_cast<void>(there);
        static_cast<void>(bytes);
        return false;
    }
    /// Memory at home is to stay where it is until unpinHome(), so that the driver copies it
    /// without another copy of its own. False if it does not, or need not.
    virtual bool pinHome(std::byte* home, std::size_t bytes) {
        static_cast<void>(home), static_cast<void>(bytes);
        return false;
    }
    virtual void unpinHome(std::byte* home) noexcept { static_cast<void>(home); }
    /// Waits until all that was asked for has been done, or has failed.
    virtual void finish() {}
    /// True if it still has something to do.
    virtual bool isBusy() const { return false; }
    /// What was asked for begins without anybody's waiting for it.
    virtual void flush() {}
    /// A device may have a second queue, of higher priority, for what is done beside kernels. From
    /// here on that does what is asked for by who is Aside, and begins once all has been done that
    /// was asked for before. Without one, all is done in the one queue's order.
    virtual void openAside() {}
    /// What follows waits for the second queue, which nobody uses from here on. False: it fails.
    virtual bool joinAside() { return true; }
    /// True if processes of the node use the device in turns.
    virtual bool isCrowded() { return false; }
    /// The kernel launched last: what the queue is to blame on. "" if there is none.
    virtual std::string lastLaunched() const { return ""; }

    /// Makes the kernel, at its first use; why there is none, as a clause, or an empty text.
    virtual std::string prepare(const KernelText& kernel, Strides strides) = 0;
    /// Of a prepared kernel. False if nothing has been started; DeviceError if it has ended badly.
    /// OutOfBounds as copyOut(), if the host waits for it: because it joins numbers.
    bool launch(const KernelText& kernel, Strides strides, void** arguments,
                const JoinPieces* joins);
    /// Waits for the launches that check subscripts in each iteration. The words that they have
    /// written since the last call (device/checked_launches.hpp); none if all have fitted, or if
    /// the device has failed.
    virtual std::vector<std::uint32_t> takeFound() = 0;

    /// True if there is a library that computes products of matrices; and what it is called.
    virtual bool multiplies() { return false; }
    virtual const char* library() const { return ""; }
    /// What the nest of that kernel computes. False if nothing has been started.
    virtual bool multiply(const KernelText&, const MatrixProduct&) { return false; }
    /// The elements of c, which are doubles, at home until the next call; null if nothing has been
    /// started. DeviceError if it has ended badly, OutOfBounds as copyOut().
    const double* multiplyHome(const MatrixProduct& product, Where where);

    /// A copy at home or on the device is no longer valid. Who looks for errors makes that visible.
    virtual void invalidated(std::byte* memory, std::size_t bytes, std::size_t elementSize) = 0;

protected:
    /// What the functions of those names do before anybody looks at checked subscripts.
    virtual bool startKernel(const KernelText& kernel, Strides strides, void** arguments,
                             const JoinPieces* joins) = 0;
    virtual bool bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) = 0;
    virtual bool bringHome(std::byte* home, const std::byte* memory, const Box& box) = 0;
    virtual const double* productHome(const MatrixProduct&, Where) { return nullptr; }
};

/// While it lives, this thread asks for moves and copies that the second queues of devices do.
class Aside {
public:
    Aside();
    ~Aside();
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    static bool isHere();

private:
    bool outer_;  // what it was before
};

/// The kernels run on the host, on copies in memory of their own; copies that are not valid are
/// overwritten. There are as many as are asked for.
Backend& checkDevice(int number = 0);

/// A device of OpenCL that works, numbered as in Target; a negative number is the process's own.
/// The same device is there several times, with copies and a queue for each.
Backend& openClDevice(int number, int time = 0);

/// A device of CUDA that works; a negative number is the process's own.
Backend& cudaDevice(int number);
/// How many the driver shows.
int cudaDevices();

}  // namespace hpspmd::detail
