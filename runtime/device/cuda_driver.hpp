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

    template <class F>
    F* function(const char* name) const {
        return library.function<F>(name);
    }

    using Handle = CudaHandle;

    devices::Library library;

    int (*retainContext)(Handle*, int) = function<int(Handle*, int)>("cuDevicePrimaryCtxRetain");
    int (*useContext)(Handle) = function<int(Handle)>("cuCtxSetCurrent");
    int (*createStream)(Handle*, unsigned) = function<int(Handle*, unsigned)>("cuStreamCreate");
    int (*waitFor)(Handle) = function<int(Handle)>("cuStreamSynchronize");
    int (*stateOf)(Handle) = function<int(Handle)>("cuStreamQuery");
    int (*allocate)(CudaAddress*,
                    std::size_t) = function<int(CudaAddress*, std::size_t)>("cuMemAlloc_v2");
    int (*release)(CudaAddress) = function<int(CudaAddress)>("cuMemFree_v2");
    int (*allocateAtHome)(void**, std::size_t, unsigned) =
        function<int(void**, std::size_t, unsigned)>("cuMemHostAlloc");
    int (*addressOnDevice)(CudaAddress*, void*, unsigned) =
        function<int(CudaAddress*, void*, unsigned)>("cuMemHostGetDevicePointer_v2");
    int (*fill)(CudaAddress, unsigned char, std::size_t, Handle) =
        function<int(CudaAddress, unsigned char, std::size_t, Handle)>("cuMemsetD8Async");
    int (*copyIn)(CudaAddress, const void*, std::size_t, Handle) =
        function<int(CudaAddress, const void*, std::size_t, Handle)>("cuMemcpyHtoDAsync_v2");
    int (*copyOut)(void*, CudaAddress, std::size_t, Handle) =
        function<int(void*, CudaAddress, std::size_t, Handle)>("cuMemcpyDtoHAsync_v2");
    int (*copyRows)(const CudaCopy*,
                    Handle) = function<int(const CudaCopy*, Handle)>("cuMemcpy2DAsync_v2");
    int (*loadModule)(Handle*,
                      const void*) = function<int(Handle*, const void*)>("cuModuleLoadData");
    int (*functionOf)(Handle*, Handle, const char*) =
        function<int(Handle*, Handle, const char*)>("cuModuleGetFunction");
    int (*attributeOf)(int*, int, Handle) = function<int(int*, int, Handle)>("cuFuncGetAttribute");
    int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  Handle, void**, void**) =
        function<int(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     Handle, void**, void**)>("cuLaunchKernel");
};

struct CudaCompiler {
    explicit CudaCompiler(const devices::Library& library) : library(library) {}

    template <class F>
    F* function(const char* name) const {
        return library.function<F>(name);
    }

    using Program = void*;

    devices::Library library;

    int (*version)(int*, int*) = function<int(int*, int*)>("nvrtcVersion");
    int (*architectureCount)(int*) = function<int(int*)>("nvrtcGetNumSupportedArchs");
    int (*architectures)(int*) = function<int(int*)>("nvrtcGetSupportedArchs");
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) =
        function<int(Program*, const char*, const char*, int, const char* const*,
                     const char* const*)>("nvrtcCreateProgram");
    int (*destroy)(Program*) = function<int(Program*)>("nvrtcDestroyProgram");
    int (*compile)(Program, int, const char* const*) =
        function<int(Program, int, const char* const*)>("nvrtcCompileProgram");
    int (*logSize)(Program,
                   std::size_t*) = function<int(Program, std::size_t*)>("nvrtcGetProgramLogSize");
    int (*log)(Program, char*) = function<int(Program, char*)>("nvrtcGetProgramLog");
    int (*binarySize)(Program,
                      std::size_t*) = function<int(Program, std::size_t*)>("nvrtcGetCUBINSize");
    int (*binary)(Program, char*) = function<int(Program, char*)>("nvrtcGetCUBIN");
    int (*textSize)(Program,
                    std::size_t*) = function<int(Program, std::size_t*)>("nvrtcGetPTXSize");
    int (*text)(Program, char*) = function<int(Program, char*)>("nvrtcGetPTX");
};

}  // namespace hpspmd::detail
