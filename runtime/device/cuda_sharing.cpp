// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_sharing.hpp"

#include "compose.hpp"
#include "transport/transport.hpp"

namespace hpspmd::detail {
namespace {

constexpr unsigned reachesPeer = 1, isForAllContexts = 1, isMapped = 2, isPassed = 0;

DeviceId idOf(const devices::Library& library, int device) {
    DeviceId id{};
    devices::requireCuda(library,
                         library.function<int(char*, int)>("cuDeviceGetUuid_v2")(id.data(), device),
                         "cuDeviceGetUuid");
    return id;
}

/// Where each process is shown a device of its own, there is one.
bool areMoreProcessesThanDevices(const devices::Library& library) {
    int count = 0;
    devices::requireCuda(library, library.function<int(int*)>("cuDeviceGetCount")(&count),
                         "cuDeviceGetCount");
    return count > 1 && jobTransport().nodeSize() > count;
}

std::byte* asMemory(CudaAddress address) {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}
CudaAddress asAddress(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

}  // namespace

CudaSharing::CudaSharing(const devices::Library& library, CudaHandle context,
                         const CudaAside& streams, const devices::CudaDevice& device)
    : context_(context),
      streams_(streams),
      id_(idOf(library, device.handle)),
      isCrowded_(areMoreProcessesThanDevices(library)),
      use_(library, "cuCtxSetCurrent"),
      nameOf_(library, "cuIpcGetMemHandle"),
      open_(library, "cuIpcOpenMemHandle_v2"),
      register_(library, "cuMemHostRegister_v2"),
      addressOf_(library, "cuMemHostGetDevicePointer_v2"),
      write_(library, "cuStreamWriteValue32_v2"),
      wait_(library, "cuStreamWaitValue32_v2") {}

bool CudaSharing::isDone(const char* call, int code) {
    if (code != 0) problem_ = compose(call, ": error ", code);
    return code == 0;
}

bool CudaSharing::share(std::byte* memory, SharedName& name) {
    Name given{};
    if (!useContext() || !isDone("cuIpcGetMemHandle", nameOf_(&given, asAddress(memory))))
        return false;
    name = given.bytes;
    return true;
}

std::byte* CudaSharing::open(const SharedName& name) {
    CudaAddress address = 0;
    const bool isOpen =
        useContext() && isDone("cuIpcOpenMemHandle", open_(&address, Name{name}, reachesPeer));
    return isOpen ? asMemory(address) : nullptr;
}

std::byte* CudaSharing::reach(void* pages, std::size_t bytes) {
    CudaAddress address = 0;
    const bool isReached =
        useContext() &&
        isDone("cuMemHostRegister", register_(pages, bytes, isForAllContexts | isMapped)) &&
        isDone("cuMemHostGetDevicePointer", addressOf_(&address, pages, 0));
    return isReached ? asMemory(address) : nullptr;
}

bool CudaSharing::signal(std::byte* flag, std::uint32_t number) {
    return useContext() &&
           isDone("cuStreamWriteValue32", write_(streams_.chosen(), asAddress(flag), number, 0));
}

bool CudaSharing::await(std::byte* flag, std::uint32_t number) {
    return useContext() && isDone("cuStreamWaitValue32",
                                  wait_(streams_.chosen(), asAddress(flag), number, isPassed));
}

}  // namespace hpspmd::detail
