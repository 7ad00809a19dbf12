// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libOpenCL.so.1 that passes calls on to the real one, which FAKE_REAL names, except that kernels
// end with an error if FAKE_FAULT is set, and that no device has doubles if FAKE_NARROW is.
#include "fake_calls.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Handle = void*;

constexpr int outOfResources = -5;
constexpr unsigned eventStatus = 0x11D3, deviceDoubles = 0x1032;

using fake::isSet;

template <class Function>
Function* real(const char* name) {
    static Handle const library = dlopen(std::getenv("FAKE_REAL"), RTLD_NOW);
    Handle const symbol = library != nullptr ? dlsym(library, name) : nullptr;
    if (symbol == nullptr) std::abort();
    return reinterpret_cast<Function*>(symbol);
}

template <class... A>
int asked(const char* name, A... arguments) {
    return real<int(A...)>(name)(arguments...);
}

template <class... A>
Handle created(const char* name, int* error, A... arguments) {
    return real<Handle(A..., int*)>(name)(arguments..., error);
}

}  // namespace

extern "C" {

int clGetPlatformIDs(unsigned n, Handle* ids, unsigned* count) {
    return asked("clGetPlatformIDs", n, ids, count);
}
int clGetDeviceIDs(Handle platform, std::uint64_t type, unsigned n, Handle* ids, unsigned* count) {
    return asked("clGetDeviceIDs", platform, type, n, ids, count);
}
int clGetPlatformInfo(Handle of, unsigned which, std::size_t size, void* value, std::size_t* got) {
    return asked("clGetPlatformInfo", of, which, size, value, got);
}
int clGetDeviceInfo(Handle of, unsigned which, std::size_t size, void* value, std::size_t* got) {
    if (which == deviceDoubles && isSet("FAKE_NARROW")) {
        std::memset(value, 0, size);
        return 0;
    }
    return asked("clGetDeviceInfo", of, which, size, value, got);
}
Handle clCreateContext(const std::intptr_t* properties, unsigned n, const Handle* devices,
                       void* notify, void* user, int* error) {
    return created("clCreateContext", error, properties, n, devices, notify, user);
}
Handle clCreateCommandQueue(Handle context, Handle device, std::uint64_t properties, int* error) {
    return created("clCreateCommandQueue", error, context, device, properties);
}
Handle clCreateBuffer(Handle context, std::uint64_t flags, std::size_t size, void* home,
                      int* error) {
    return created("clCreateBuffer", error, context, flags, size, home);
}
int clReleaseMemObject(Handle buffer) { return asked("clReleaseMemObject", buffer); }
int clEnqueueFillBuffer(Handle queue, Handle buffer, const void* pattern, std::size_t patternSize,
                        std::size_t offset, std::size_t size, unsigned n, const Handle* events,
                        Handle* event) {
    return asked("clEnqueueFillBuffer", queue, buffer, pattern, patternSize, offset, size, n,
                 events, event);
}
int clEnqueueWriteBuffer(Handle queue, Handle buffer, unsigned waits, std::size_t offset,
                         std::size_t size, const void* from, unsigned n, const Handle* events,
                         Handle* event) {
    return asked("clEnqueueWriteBuffer", queue, buffer, waits, offset, size, from, n, events,
                 event);
}
int clEnqueueReadBuffer(Handle queue, Handle buffer, unsigned waits, std::size_t offset,
                        std::size_t size, void* to, unsigned n, const Handle* events,
                        Handle* event) {
    return asked("clEnqueueReadBuffer", queue, buffer, waits, offset, size, to, n, events, event);
}
int clEnqueueWriteBufferRect(Handle queue, Handle buffer, unsigned waits, const std::size_t* at,
                             const std::size_t* homeAt, const std::size_t* region,
                             std::size_t pitch, std::size_t slice, std::size_t homePitch,
                             std::size_t homeSlice, const void* from, unsigned n,
                             const Handle* events, Handle* event) {
    return asked("clEnqueueWriteBufferRect", queue, buffer, waits, at, homeAt, region, pitch, slice,
                 homePitch, homeSlice, from, n, events, event);
}
int clEnqueueReadBufferRect(Handle queue, Handle buffer, unsigned waits, const std::size_t* at,
                            const std::size_t* homeAt, const std::size_t* region, std::size_t pitch,
                            std::size_t slice, std::size_t homePitch, std::size_t homeSlice,
                            void* to, unsigned n, const Handle* events, Handle* event) {
    return asked("clEnqueueReadBufferRect", queue, buffer, waits, at, homeAt, region, pitch, slice,
                 homePitch, homeSlice, to, n, events, event);
}
Handle clCreateProgramWithSource(Handle context, unsigned n, const char** texts,
                                 const std::size_t* lengths, int* error) {
    return created("clCreateProgramWithSource", error, context, n, texts, lengths);
}
Handle clCreateProgramWithBinary(Handle context, unsigned n, const Handle* devices,
                                 const std::size_t* lengths, const unsigned char** binaries,
                                 int* states, int* error) {
    return created("clCreateProgramWithBinary", error, context, n, devices, lengths, binaries,
                   states);
}
int clBuildProgram(Handle program, unsigned n, const Handle* devices, const char* options,
                   void* notify, void* user) {
    return asked("clBuildProgram", program, n, devices, options, notify, user);
}
int clReleaseProgram(Handle program) { return asked("clReleaseProgram", program); }
int clGetProgramInfo(Handle of, unsigned which, std::size_t size, void* value, std::size_t* got) {
    return asked("clGetProgramInfo", of, which, size, value, got);
}
int clGetProgramBuildInfo(Handle of, Handle device, unsigned which, std::size_t size, void* value,
                          std::size_t* got) {
    return asked("clGetProgramBuildInfo", of, device, which, size, value, got);
}
Handle clCreateKernel(Handle program, const char* name, int* error) {
    return created("clCreateKernel", error, program, name);
}
int clGetKernelWorkGroupInfo(Handle of, Handle device, unsigned which, std::size_t size,
                             void* value, std::size_t* got) {
    return asked("clGetKernelWorkGroupInfo", of, device, which, size, value, got);
}
int clSetKernelArg(Handle kernel, unsigned number, std::size_t size, const void* value) {
    return asked("clSetKernelArg", kernel, number, size, value);
}
int clEnqueueNDRangeKernel(Handle queue, Handle kernel, unsigned n, const std::size_t* offset,
                           const std::size_t* global, const std::size_t* local, unsigned waits,
                           const Handle* events, Handle* event) {
    return asked("clEnqueueNDRangeKernel", queue, kernel, n, offset, global, local, waits, events,
                 event);
}
int clFinish(Handle queue) { return asked("clFinish", queue); }
int clFlush(Handle queue) { return asked("clFlush", queue); }
int clReleaseEvent(Handle event) { return asked("clReleaseEvent", event); }
int clGetEventInfo(Handle of, unsigned which, std::size_t size, void* value, std::size_t* got) {
    const int code = asked("clGetEventInfo", of, which, size, value, got);
    if (code == 0 && which == eventStatus && isSet("FAKE_FAULT"))
        std::memcpy(value, &outOfResources, sizeof outOfResources);
    return code;
}

}  // extern "C"
