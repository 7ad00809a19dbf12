// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for libcuda.so.1: two GPUs; PRETENDED_DRIVER=none, error, crash, leave is one that has
// none.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

bool is(const char* mode) {
    const char* const wanted = std::getenv("PRETENDED_DRIVER");
    return wanted != nullptr && std::strcmp(wanted, mode) == 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
    if (is("crash")) std::abort();
    if (is("leave")) ::_exit(3);
    return is("error") ? 100 : 0;
}

int cuDeviceGetCount(int* count) {
    *count = is("none") ? 0 : 2;
    return 0;
}

int cuDeviceGet(int* device, int number) {
    *device = 10 + number;
    return number < 2 ? 0 : 101;
}

int cuDeviceGetName(char* name, int length, int device) {
    std::strncpy(name, ("Pretended " + std::to_string(device)).c_str(),
                 static_cast<std::size_t>(length));
    return 0;
}

int cuDeviceTotalMem_v2(std::size_t* bytes, int) {  // NOLINT(readability-identifier-naming)
    *bytes = 8'000'000'000;
    return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 132;
    return 0;
}

int cuGetErrorString(int, const char** text) {
    *text = "no CUDA-capable device is detected";
    return 0;
}
}
