// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The functions of libcuda and libnvrtc that the back end calls, opened at run time. Their names
/// and numbers are those of cuda.h and nvrtc.h.

#include "devices/cuda_list.hpp"

#include <cstddef>
#include <cstdint>

namespace hpspmd::detail {

using CudaHandle = void*;                // of a context, a stream, a module, a function
using CudaAddress = unsigned long long;  // of the device

constexpr int cudaNotReady = 600;
constexpr unsigned cudaStreamNonBlocking = 1, cudaHostDeviceMap = 2;
constexpr unsigned cudaHostForAllContexts = 1;
constexpr int cudaMostThreadsOfGroup = 0;  // an attribute of a function

constexpr unsigned cudaHostMemory = 1, cudaDeviceMemory = 2;

/// CUDA_MEMCPY2D_v2
struct CudaCopy {
    struct Side {
        std::size_t left = 0, top = 0;
        unsigned kind = 0;
        const void* home = nullptr;
        CudaAddress device = 0;
        void* array = nullptr;
        std::size_t pitch = 0;
    };
    Side from, to;
    std::size_t width = 0, rows = 0;
};

struct CudaDriver {
    explicit CudaDriver(const devices::Library& library) : library(library) {}

    using Handle = CudaHandle;

    devices::Library library;

    devices::Function<int(Handle*, int)> retainContext{library, "cuDevicePrimaryCtxRetain"};
    devices::Function<int(Handle)> useContext{library, "cuCtxSetCurrent"};
    devices::Function<int(Handle*, unsigned)> createStream{library, "cuStreamCreate"};
    devices::Function<int(Handle)> waitFor{library, "cuStreamSynchronize"};
    devices::Function<int(Handle)> stateOf{library, "cuStreamQuery"};
    devices::Function<int(CudaAddress*, std::size_t)> allocate{library, "cuMemAlloc_v2"};
    devices::Function<int(CudaAddress)> release{library, "cuMemFree_v2"};
    devices::Function<int(void**, std::size_t, unsigned)> allocateAtHome{library, "cuMemHostAlloc"};
    devices::Function<int(CudaAddress*, void*, unsigned)> addressOnDevice{
        library, "cuMemHostGetDevicePointer_v2"};
    devices::Function<int(void*, std::size_t, unsigned)> pin{library, "cuMemHostRegister_v2"};
    devices::Function<int(void*)> unpin{library, "cuMemHostUnregister"};
    devices::Function<int(CudaAddress, unsigned char, std::size_t, Handle)> fill{library,
                                                                                 "cuMemsetD8Async"};
    devices::Function<int(CudaAddress, const void*, std::size_t, Handle)> copyIn{
        library, "cuMemcpyHtoDAsync_v2"};
    devices::Function<int(void*, CudaAddress, std::size_t, Handle)> copyOut{library,
                                                                            "cuMemcpyDtoHAsync_v2"};
    devices::Function<int(const CudaCopy*, Handle)> copyRows{library, "cuMemcpy2DAsync_v2"};
    devices::Function<int(Handle*, const void*)> loadModule{library, "cuModuleLoadData"};
    devices::Function<int(Handle*, Handle, const char*)> functionOf{library, "cuModuleGetFunction"};
    devices::Function<int(int*, int, Handle)> attributeOf{library, "cuFuncGetAttribute"};
    devices::Function<int(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, Handle, void**, void**)>
        launch{library, "cuLaunchKernel"};
};

struct CudaCompiler {
    explicit CudaCompiler(const devices::Library& library) : library(library) {}

    using Program = void*;

    devices::Library library;

    devices::Function<int(int*, int*)> version{library, "nvrtcVersion"};
    devices::Function<int(int*)> architectureCount{library, "nvrtcGetNumSupportedArchs"};
    devices::Function<int(int*)> architectures{library, "nvrtcGetSupportedArchs"};
    devices::Function<int(Program*, const char*, const char*, int, const char* const*,
                          const char* const*)>
        create{library, "nvrtcCreateProgram"};
    devices::Function<int(Program*)> destroy{library, "nvrtcDestroyProgram"};
    devices::Function<int(Program, int, const char* const*)> compile{library,
                                                                     "nvrtcCompileProgram"};
    devices::Function<int(Program, std::size_t*)> logSize{library, "nvrtcGetProgramLogSize"};
    devices::Function<int(Program, char*)> log{library, "nvrtcGetProgramLog"};
    devices::Function<int(Program, std::size_t*)> binarySize{library, "nvrtcGetCUBINSize"};
    devices::Function<int(Program, char*)> binary{library, "nvrtcGetCUBIN"};
    devices::Function<int(Program, std::size_t*)> textSize{library, "nvrtcGetPTXSize"};
    devices::Function<int(Program, char*)> text{library, "nvrtcGetPTX"};
};

}  // namespace hpspmd::detail
