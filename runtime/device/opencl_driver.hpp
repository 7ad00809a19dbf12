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

    template <class F>
    F* function(const char* name) const {
        return library.function<F>(name);
    }

    using Wait = const ClHandle*;
    using Release = int(ClHandle);
    using Info = devices::ClGetInfo;
    using InfoOfTwo = int(ClHandle, ClHandle, unsigned, std::size_t, void*, std::size_t*);

    devices::Library library;

    ClHandle (*createContext)(const std::intptr_t*, unsigned, const ClHandle*, void*, void*, int*) =
        function<ClHandle(const std::intptr_t*, unsigned, const ClHandle*, void*, void*, int*)>(
            "clCreateContext");
    ClHandle (*createQueue)(ClHandle, ClHandle, std::uint64_t, int*) =
        function<ClHandle(ClHandle, ClHandle, std::uint64_t, int*)>("clCreateCommandQueue");
    ClHandle (*createBuffer)(ClHandle, std::uint64_t, std::size_t, void*, int*) =
        function<ClHandle(ClHandle, std::uint64_t, std::size_t, void*, int*)>("clCreateBuffer");
    Release* releaseBuffer = function<Release>("clReleaseMemObject");
    int (*fill)(ClHandle, ClHandle, const void*, std::size_t, std::size_t, std::size_t, unsigned,
                Wait, ClHandle*) =
        function<int(ClHandle, ClHandle, const void*, std::size_t, std::size_t, std::size_t,
                     unsigned, Wait, ClHandle*)>("clEnqueueFillBuffer");
    int (*write)(ClHandle, ClHandle, unsigned, std::size_t, std::size_t, const void*, unsigned,
                 Wait, ClHandle*) =
        function<int(ClHandle, ClHandle, unsigned, std::size_t, std::size_t, const void*, unsigned,
                     Wait, ClHandle*)>("clEnqueueWriteBuffer");
    int (*read)(ClHandle, ClHandle, unsigned, std::size_t, std::size_t, void*, unsigned, Wait,
                ClHandle*) = function<int(ClHandle, ClHandle, unsigned, std::size_t, std::size_t,
                                          void*, unsigned, Wait, ClHandle*)>("clEnqueueReadBuffer");
    using CopyRectangle = int(ClHandle, ClHandle, unsigned, const std::size_t*, const std::size_t*,
                              const std::size_t*, std::size_t, std::size_t, std::size_t,
                              std::size_t, void*, unsigned, Wait, ClHandle*);
    CopyRectangle* readRectangle = function<CopyRectangle>("clEnqueueReadBufferRect");
    CopyRectangle* writeRectangle = function<CopyRectangle>("clEnqueueWriteBufferRect");
    ClHandle (*programOfText)(ClHandle, unsigned, const char**, const std::size_t*, int*) =
        function<ClHandle(ClHandle, unsigned, const char**, const std::size_t*, int*)>(
            "clCreateProgramWithSource");
    ClHandle (*programOfBinary)(ClHandle, unsigned, const ClHandle*, const std::size_t*,
                                const unsigned char**, int*, int*) =
        function<ClHandle(ClHandle, unsigned, const ClHandle*, const std::size_t*,
                          const unsigned char**, int*, int*)>("clCreateProgramWithBinary");
    int (*build)(ClHandle, unsigned, const ClHandle*, const char*, void*, void*) =
        function<int(ClHandle, unsigned, const ClHandle*, const char*, void*, void*)>(
            "clBuildProgram");
    Release* releaseProgram = function<Release>("clReleaseProgram");
    Info* programInfo = function<Info>("clGetProgramInfo");
    InfoOfTwo* buildInfo = function<InfoOfTwo>("clGetProgramBuildInfo");
    ClHandle (*createKernel)(ClHandle, const char*, int*) =
        function<ClHandle(ClHandle, const char*, int*)>("clCreateKernel");
    InfoOfTwo* groupInfo = function<InfoOfTwo>("clGetKernelWorkGroupInfo");
    int (*setArgument)(ClHandle, unsigned, std::size_t, const void*) =
        function<int(ClHandle, unsigned, std::size_t, const void*)>("clSetKernelArg");
    int (*launch)(ClHandle, ClHandle, unsigned, const std::size_t*, const std::size_t*,
                  const std::size_t*, unsigned, Wait, ClHandle*) =
        function<int(ClHandle, ClHandle, unsigned, const std::size_t*, const std::size_t*,
                     const std::size_t*, unsigned, Wait, ClHandle*)>("clEnqueueNDRangeKernel");
    Release* finish = function<Release>("clFinish");
    Info* eventInfo = function<Info>("clGetEventInfo");
    Release* releaseEvent = function<Release>("clReleaseEvent");
    Info* deviceInfo = function<Info>("clGetDeviceInfo");
};

}  // namespace hpspmd::detail
