// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A libcuda.so.1, a libnvrtc.so.13 and a libcublas.so.13 without a GPU: kernels are compiled by the
// C++ compiler FAKE_COMPILER and run in this process, one group of lanes after the other, each lane
// up to the next barrier. Memory of the device is of its own and starts with nonsense. If
// FAKE_FAULT is set, the first kernel ends with an error, which the next call tells, as all do
// then. If FAKE_WAITS is set, it tells at the end how often the host has waited for a queue.
#include "fake_calls.hpp"
#include "fake_group.hpp"
#include "fake_memory.hpp"
#include "fake_streams.hpp"
#include "fake_words.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

using fake::Address;
using fake::caller;
using fake::Function;
using fake::Group;
using fake::isSet;
using fake::Place;
using fake::SharedMemory;
using fake::SharedName;
using fake::words;
using Handle = void*;

constexpr int success = 0, invalidValue = 1, outOfMemory = 2, illegalAddress = 700,
              doesNotCompile = 6;

/// Before the code of a kernel.
constexpr char magic[] = {'f', 'a', 'k', 'e'};

char somewhere = 0;  // whose address stands for contexts
bool hasFaulted = false;
std::atomic<int> waits = 0, allocations = 0;
[[gnu::destructor]] void tellCounts() {
    if (isSet("FAKE_COUNTS"))
        std::fprintf(stderr, "fake_cuda: %d waits, %d allocations\n", waits.load(),
                     allocations.load());
}

/// What a call gives that is about to do its work.
int begun() { return hasFaulted ? illegalAddress : success; }

char* memoryAt(Address address) { return reinterpret_cast<char*>(address); }

/// A copy from memory that the driver has given, which is made as late as possible.
struct LateCopy {
    Address to;
    const void* from;
    std::size_t bytes;
};
std::vector<LateCopy>& lateCopies() {
    static auto& all = *new std::vector<LateCopy>;
    return all;
}
std::map<const char*, std::size_t>& ownMemory() {  // of the host
    static auto& all = *new std::map<const char*, std::size_t>;
    return all;
}
bool isOwn(const void* memory) {
    const auto* const place = static_cast<const char*>(memory);
    const auto next = ownMemory().upper_bound(place);
    if (next == ownMemory().begin()) return false;
    return place < std::prev(next)->first + std::prev(next)->second;
}

/// Large copies come from several threads.
std::recursive_mutex& mutex() {
    static auto& one = *new std::recursive_mutex;
    return one;
}

/// The same of a call that the queue does behind all before.
int begunInOrder() {
    const std::lock_guard lock(mutex());
    for (const LateCopy& each : lateCopies()) std::memcpy(memoryAt(each.to), each.from, each.bytes);
    lateCopies().clear();
    return begun();
}

template <class T>
T symbolOf(Handle library, const char* name) {
    return reinterpret_cast<T>(dlsym(library, name));
}

/// A text, and what has become of it.
struct Program {
    std::string text, code, log;
};

std::string contentOf(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void compile(Program& program, int count, const char* const* options) {
    char folder[] = "/tmp/fake_cuda.XXXXXX";
    if (mkdtemp(folder) == nullptr) return;
    const std::string base = std::string(folder) + "/nest";
    const std::string kernel = program.text.substr(program.text.rfind(" nest("));
    const bool waits = kernel.find(" JOIN_") != std::string::npos ||
                       kernel.find(" HPSPMD_BARRIER") != std::string::npos;
    std::ofstream(base + ".cpp") << words << program.text << caller
                                 << "extern \"C\" { bool waits = " << (waits ? "true" : "false")
                                 << "; }\n";
    std::string command = std::getenv("FAKE_COMPILER");
    command += " -std=c++17 -O1 -w -ffp-contract=off -shared -fPIC";
    for (int k = 0; k < count; ++k)
        if (std::strncmp(options[k], "-D", 2) == 0) command += std::string(" ") + options[k];
    command += " " + base + ".cpp -o " + base + ".so 2> " + base + ".log";
    if (std::system(command.c_str()) == 0) program.code = contentOf(base + ".so");
    program.log = contentOf(base + ".log");
    for (const char* const end : {".cpp", ".so", ".log"}) unlink((base + end).c_str());
    rmdir(folder);
}

int give(const std::string& text, char* out) {
    std::memcpy(out, text.c_str(), text.size() + 1);
    return success;
}
int giveSize(const std::string& text, std::size_t* size) {
    *size = text.size() + 1;
    return success;
}

}  // namespace

int fake::beginCall() { return begunInOrder(); }

extern "C" {

int cuInit(unsigned) { return begun(); }
int cuGetErrorString(int, const char** text) {
    *text = "a fault of the test";
    return success;
}
int cuDeviceGetCount(int* count) {
    const char* const wanted = std::getenv("FAKE_DEVICES");
    *count = wanted != nullptr ? std::atoi(wanted) : 2;
    return begun();
}
int cuDeviceGet(int* device, int number) {
    *device = 100 + number;
    return begun();
}
int cuDeviceGetName(char* name, int size, int) {
    std::snprintf(name, static_cast<std::size_t>(size), "pretended GPU");
    return begun();
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t(1) << 30;
    return begun();
}
int cuDeviceGetAttribute(int* value, int which, int) {
    *value = which == 75 ? 9 : which == 76 ? 0 : 1;  // sm_90
    return begun();
}
int cuDevicePrimaryCtxRetain(Handle* context, int) {
    *context = &somewhere;
    return begun();
}
int cuCtxSetCurrent(Handle) { return begun(); }
int cuStreamSynchronize(Handle stream) {
    ++waits;
    fake::catchUp(stream);
    return begunInOrder();
}
int cuStreamQuery(Handle) { return hasFaulted ? illegalAddress : success; }

int cuMemAlloc_v2(Address* address, std::size_t bytes) {
    if (const int error = begun()) return error;
    ++allocations;
    const SharedMemory memory(bytes);
    std::memset(memory.begin, 0x5A, bytes);
    *address = reinterpret_cast<Address>(memory.begin);
    SharedMemory::all().emplace(*address, memory);
    return success;
}
int cuMemFree_v2(Address address) {
    const int error = begunInOrder();
    SharedMemory::all().at(address).release();
    SharedMemory::all().erase(address);
    return error;
}
int cuDeviceGetUuid_v2(char* id, int device) {
    std::memset(id, device, 16);
    return begun();
}
int cuIpcGetMemHandle(SharedName* name, Address address) {
    if (const int error = begun()) return error;
    const SharedMemory& memory = SharedMemory::all().at(address);
    *name = {getpid(), memory.file, memory.bytes, {}};
    return success;
}
int cuIpcOpenMemHandle_v2(Address* address, SharedName name, unsigned) {
    if (const int error = begun()) return error;
    if (isSet("FAKE_ISLANDS")) return outOfMemory;
    // Private: of devices that only seem to reach each other.
    void* const memory = opened(name, isSet("FAKE_ASTRAY") ? MAP_PRIVATE : MAP_SHARED);
    *address = reinterpret_cast<Address>(memory);
    return memory != nullptr ? success : outOfMemory;
}
int cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
    if (const int error = begun()) return error;
    ownMemory().emplace(static_cast<const char*>(memory), bytes);
    return success;
}
int cuMemHostUnregister(void* memory) {
    if (const int error = begunInOrder()) return error;
    return ownMemory().erase(static_cast<const char*>(memory)) > 0 ? success : invalidValue;
}
int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    if (const int error = begun()) return error;
    auto* const made = new char[bytes];  // as long as the program
    ownMemory().emplace(made, bytes);
    *memory = made;
    return success;
}
int cuMemHostGetDevicePointer_v2(Address* address, void* memory, unsigned) {
    *address = reinterpret_cast<Address>(memory);
    return begun();
}
int cuMemsetD8Async(Address address, unsigned char value, std::size_t bytes, Handle) {
    if (const int error = begunInOrder()) return error;
    std::memset(memoryAt(address), value, bytes);
    return success;
}
int cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t bytes, Handle) {
    const std::lock_guard lock(mutex());
    if (const int error = begunInOrder()) return error;
    if (isOwn(from))
        lateCopies().push_back({to, from, bytes});
    else
        std::memcpy(memoryAt(to), from, bytes);
    return success;
}
int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, Handle) {
    if (const int error = begunInOrder()) return error;
    std::memcpy(to, memoryAt(from), bytes);
    return success;
}

/// CUDA_MEMCPY2D_v2
struct Side {
    std::size_t left, top;
    unsigned kind;
    void* home;
    Address device;
    void* array;
    std::size_t pitch;

    char* memory() const { return kind == 2 ? memoryAt(device) : static_cast<char*>(home); }
};
struct Copy {
    Side from, to;
    std::size_t width, rows;
};
int cuMemcpy2DAsync_v2(const Copy* asked, Handle stream) {
    return fake::inOrder(stream, [copy = *asked] {
        for (std::size_t row = 0; row < copy.rows; ++row)
            std::memcpy(copy.to.memory() + row * copy.to.pitch,
                        copy.from.memory() + row * copy.from.pitch, copy.width);
    });
}

int cuCtxEnablePeerAccess(Handle, unsigned) { return begun(); }
int cuMemcpyPeerAsync(Address to, Handle, Address from, Handle, std::size_t bytes, Handle) {
    if (const int error = begunInOrder()) return error;
    std::memcpy(memoryAt(to), memoryAt(from), bytes);
    return success;
}

int cuModuleLoadData(Handle* module, const void* code) {
    if (const int error = begun()) return error;
    const char* bytes = static_cast<const char*>(code);
    if (std::memcmp(bytes, magic, sizeof magic) != 0) return outOfMemory;  // of a real compiler
    bytes += sizeof magic;
    std::size_t size = 0;
    std::memcpy(&size, bytes, sizeof size);
    const int file = memfd_create("fake_cuda", 0);
    if (write(file, bytes + sizeof size, size) != static_cast<ssize_t>(size)) return outOfMemory;
    *module = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    // The file stays open, since libraries are told apart by their names.
    return *module != nullptr ? success : outOfMemory;
}
int cuModuleGetFunction(Handle* function, Handle module, const char*) {
    if (const int error = begun()) return error;
    *function = new Function{symbolOf<void (*)(void**)>(module, "run"),
                             symbolOf<Place*>(module, "blockIdx"),
                             symbolOf<Place*>(module, "threadIdx"),
                             symbolOf<Place*>(module, "gridDim"),
                             symbolOf<void (**)()>(module, "barrier"),
                             *symbolOf<bool*>(module, "waits"),
                             symbolOf<std::size_t (*)(unsigned)>(module, "sizeOf")};
    return success;
}
int cuFuncGetAttribute(int* value, int, Handle) {
    *value = 1024;
    return begun();
}
int cuLaunchKernel(Handle function, unsigned gx, unsigned gy, unsigned gz, unsigned x, unsigned y,
                   unsigned z, unsigned, Handle stream, void** arguments, void**) {
    constexpr unsigned mostAside = 65535;
    if (gy > mostAside || gz > mostAside) return invalidValue;
    const auto& kernel = *static_cast<const Function*>(function);
    return fake::inOrder(stream, [=, &kernel, values = fake::Values(kernel, arguments)]() mutable {
        if (isSet("FAKE_FAULT")) {
            hasFaulted = true;
            return;
        }
        *kernel.groups = {gx, gy, gz};
        Group group(kernel, values.addresses(), {x, y, z});
        for (unsigned k = 0; k < gx * gy * gz; ++k) {
            *kernel.group = {k % gx, k / gx % gy, k / gx / gy};
            group.run();
        }
    });
}

int nvrtcVersion(int* major, int* minor) {
    *major = 13, *minor = 99;
    return begun();
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return begun();
}
int nvrtcGetSupportedArchs(int* architectures) {
    architectures[0] = 75, architectures[1] = isSet("FAKE_OLD") ? 80 : 90;
    return begun();
}
int nvrtcCreateProgram(Handle* program, const char* text, const char*, int, const char* const*,
                       const char* const*) {
    *program = new Program{text, {}, {}};
    return success;
}
int nvrtcDestroyProgram(Handle* program) {
    delete static_cast<Program*>(*program);
    return success;
}
int nvrtcCompileProgram(Handle handle, int count, const char* const* options) {
    Program& program = *static_cast<Program*>(handle);
    compile(program, count, options);
    const std::size_t size = program.code.size();
    program.code.insert(0, reinterpret_cast<const char*>(&size), sizeof size);
    program.code.insert(0, magic, sizeof magic);
    return size > 0 ? success : doesNotCompile;
}
int nvrtcGetProgramLogSize(Handle program, std::size_t* size) {
    return giveSize(static_cast<Program*>(program)->log, size);
}
int nvrtcGetProgramLog(Handle program, char* log) {
    return give(static_cast<Program*>(program)->log, log);
}
int nvrtcGetCUBINSize(Handle program, std::size_t* size) {
    return giveSize(static_cast<Program*>(program)->code, size);
}
int nvrtcGetCUBIN(Handle program, char* code) {
    return give(static_cast<Program*>(program)->code, code);
}
int nvrtcGetPTXSize(Handle program, std::size_t* size) { return nvrtcGetCUBINSize(program, size); }
int nvrtcGetPTX(Handle program, char* code) { return nvrtcGetCUBIN(program, code); }

}  // extern "C"
