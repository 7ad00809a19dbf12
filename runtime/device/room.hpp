// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Memory on devices: what the arrays of a nest need is asked for all at once, so that none of them
/// takes the room of another.

#include <hpspmd/device/launch.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace hpspmd::detail {

class Backend;
class Mirror;

/// What the text of a kernel calls its arrays, in their order.
std::vector<std::string> arrayNamesOf(const KernelText& kernel);

/// The arrays of a nest, each once, and what its kernel calls them ("" if that is not known).
struct NestArrays {
    std::vector<Mirror*> mirrors;
    std::vector<std::string> names;

    /// Arrays as `taken` lists them; null ones are left out.
    NestArrays(const KernelText* kernel, const std::vector<Mirror*>& taken);
};

/// Gives each of them memory on the device, of which HPSPMD_DEVICE_MEMORY ("64M", "2G") is the most
/// that arrays of this process take. Where there is too little, arrays that nests of this thread
/// have used longest ago go home. Why there is too little even so, as a clause; then nothing has
/// changed but that. TargetUnavailable for a size that is none.
std::string makeRoom(Backend& device, const NestArrays& arrays, Where nest);

/// Sends other arrays home until HPSPMD_DEVICE_MEMORY leaves so many bytes; false if it never does.
bool leavesRoom(Backend& device, std::size_t bytes, const NestArrays& staying, Where nest);
/// Sends home the array that has been used longest ago; false if there is none.
bool sendOneHome(const Backend& device, const NestArrays& staying, Where nest);

}  // namespace hpspmd::detail
