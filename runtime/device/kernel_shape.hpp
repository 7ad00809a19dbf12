// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// How a kernel is spread over the lanes of a device, the same for all kinds of devices.

#include "device/backend.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::detail {

/// Lanes, or groups of them, in each dimension; neighbouring lanes of dimension 0 reach
/// neighbouring elements.
using Lanes3 = std::array<std::size_t, 3>;

constexpr std::size_t countOf(const Lanes3& lanes) { return lanes[0] * lanes[1] * lanes[2]; }

struct KernelShape {
    Lanes3 group{1, 1, 1};
    std::size_t rows = 1;   // of the outermost loop, that a lane takes at a time
    Lanes3 steps{1, 1, 1};  // of the loops, by dimension
    Strides strides = Strides::Wide;
    std::size_t joined = 0;  // numbers that all lanes change
    bool checks = false;     // subscripts, in each iteration
    /// Where there can be as many lanes as are wanted, none goes on with a further iteration: what
    /// memory gives is used 1.1 times as fast then, but not where kernels check subscripts.
    bool hasLaneForEach = false;
    bool changesWhatItReads = false;  // at other places

    bool joins() const { return joined > 0; }
    /// As definitions for compilers: "-DHPSPMD_WIDTH=64 ..".
    std::string definitions() const;
};

/// Sums are added up in the same order everywhere, since a group has 256 lanes and
/// their shape depends on the kernel alone.
KernelShape shapeOf(const KernelText& kernel, Strides strides);

/// Groups of kernels that join numbers, since the host joins those of groups.
inline constexpr std::size_t mostJoining = 8192;
/// Bytes of a number that is joined, at most.
inline constexpr std::size_t sizeOfJoined = 8;

/// The arguments of a kernel as its text for a device has them: strides become ints if they are
/// narrow. Kept from launch to launch for the sake of its memory.
class DeviceArguments {
public:
    DeviceArguments() = default;
    DeviceArguments(const KernelText& kernel, Strides strides, void** arguments) {
        assign(kernel, strides, arguments);
    }
    void assign(const KernelText& kernel, Strides strides, void** arguments);

    /// Where the value of the k-th parameter is, and its size in bytes.
    void* address(std::size_t k) const { return addresses_[k]; }
    std::size_t size(std::size_t k) const;

private:
    const KernelText* kernel_ = nullptr;
    Strides strides_ = Strides::Wide;
    std::vector<int> narrow_;
    std::vector<void*> addresses_;
};

/// So many groups that each lane has work, but not more than `most` of them: lanes go on with the
/// stride of all. Of a kernel that joins numbers a 32nd of these, but 2048 to mostJoining: with too
/// few of them the device waits for the last ones, with too many for the host.
Lanes3 groupsFor(const KernelText& kernel, const KernelShape& shape, void** arguments,
                 std::size_t most);

/// Such a kernel stands in no line of the program.
bool isOfLibrary(const KernelText& kernel);

/// "heat.hpcpp:22"
std::string placeOf(const KernelText& kernel);

/// The functions of a kernel and itself: what stands behind the macros.
std::string functionsOf(const KernelText& kernel);

/// The first line of what a compiler says, for a clause.
std::string firstLine(const std::string& text);

}  // namespace hpspmd::detail
