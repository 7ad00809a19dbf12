// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// The functions of libOpenCL that the back end calls, opened at run time.

#include "devices/opencl_list.hpp"

#include <cstddef>
#include <cstdint>

namespace hpspmd::detail {

using devices::ClHandle;

/// Of a context, which OpenCL describes by pairs of a key and a value that end with 0.
constexpr std::intptr_t clContextPlatform = 0x1084;

constexpr unsigned clDeviceSingleConfig = 0x101B, clDeviceVendor = 0x102C, clDriverVersion = 0x102D,
                   clDeviceVersion = 0x102F, clProgramBinarySizes = 0x1165,
                   clProgramBinaries = 0x1166, clProgramBuildLog = 0x1183,
                   clKernelGroupSize = 0x11B0, clEventStatus = 0x11D3;
constexpr std::uint64_t clRoundedDivision = 1 << 7;  // of single precision
constexpr std::uint64_t clReadWrite = 1;             // of a buffer

struct OpenClDriver {
    explicit OpenClDriver(const devices::Library& library) : library(library) {}

    using Wait = const ClHandle*;
    using Release = int(ClHandle);
    using Info = devices::ClGetInfo;
    using InfoOfTwo = int(ClHandle, ClHandle, unsigned, std::size_t, void*, std::size_t*);

    devices::Library library;

    devices::Function<ClHandle(const std::intptr_t*, unsigned, const ClHandle*, void*, void*, int*)>
        createContext{library, "clCreateContext"};
    devices::Function<ClHandle(ClHandle, ClHandle, std::uint64_t, int*)> createQueue{
        library, "clCreateCommandQueue"};
    devices::Function<ClHandle(ClHandle, std::uint64_t, std::size_t, void*, int*)> createBuffer{
        library, "clCreateBuffer"};
    devices::Function<Release> releaseBuffer{library, "clReleaseMemObject"};
    devices::Function<int(ClHandle, ClHandle, const void*, std::size_t, std::size_t, std::size_t,
                          unsigned, Wait, ClHandle*)>
        fill{library, "clEnqueueFillBuffer"};
    devices::Function<int(ClHandle, ClHandle, unsigned, std::size_t, std::size_t, const void*,
                          unsigned, Wait, ClHandle*)>
        write{library, "clEnqueueWriteBuffer"};
    devices::Function<int(ClHandle, ClHandle, unsigned, std::size_t, std::size_t, void*, unsigned,
                          Wait, ClHandle*)>
        read{library, "clEnqueueReadBuffer"};
    using CopyRectangle = int(ClHandle, ClHandle, unsigned, const std::size_t*, const std::size_t*,
                              const std::size_t*, std::size_t, std::size_t, std::size_t,
                              std::size_t, void*, unsigned, Wait, ClHandle*);
    devices::Function<CopyRectangle> readRectangle{library, "clEnqueueReadBufferRect"};
    devices::Function<CopyRectangle> writeRectangle{library, "clEnqueueWriteBufferRect"};
    devices::Function<ClHandle(ClHandle, unsigned, const char**, const std::size_t*, int*)>
        programOfText{library, "clCreateProgramWithSource"};
    devices::Function<ClHandle(ClHandle, unsigned, const ClHandle*, const std::size_t*,
                               const unsigned char**, int*, int*)>
        programOfBinary{library, "clCreateProgramWithBinary"};
    devices::Function<int(ClHandle, unsigned, const ClHandle*, const char*, void*, void*)> build{
        library, "clBuildProgram"};
    devices::Function<Release> releaseProgram{library, "clReleaseProgram"};
    devices::Function<Info> programInfo{library, "clGetProgramInfo"};
    devices::Function<InfoOfTwo> buildInfo{library, "clGetProgramBuildInfo"};
    devices::Function<ClHandle(ClHandle, const char*, int*)> createKernel{library,
                                                                          "clCreateKernel"};
    devices::Function<InfoOfTwo> groupInfo{library, "clGetKernelWorkGroupInfo"};
    devices::Function<int(ClHandle, unsigned, std::size_t, const void*)> setArgument{
        library, "clSetKernelArg"};
    devices::Function<int(ClHandle, ClHandle, unsigned, const std::size_t*, const std::size_t*,
                          const std::size_t*, unsigned, Wait, ClHandle*)>
        launch{library, "clEnqueueNDRangeKernel"};
    devices::Function<Release> finish{library, "clFinish"}, flush{library, "clFlush"};
    devices::Function<Info> eventInfo{library, "clGetEventInfo"};
    devices::Function<Release> releaseEvent{library, "clReleaseEvent"};
    devices::Function<Info> deviceInfo{library, "clGetDeviceInfo"};
};

}  // namespace hpspmd::detail
