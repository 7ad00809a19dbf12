// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Memory of the pretended GPU, which other processes can open by a name, as by CUDA IPC.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>

namespace fake {

using Address = unsigned long long;

/// CUipcMemHandle
struct SharedName {
    int process, file;
    std::size_t bytes;
    char rest[48];
};

/// One allocation on the device.
struct SharedMemory {
    explicit SharedMemory(std::size_t bytes)
        : bytes(bytes + 1), file(memfd_create("fake_cuda_memory", MFD_CLOEXEC)) {
        if (ftruncate(file, static_cast<off_t>(this->bytes)) != 0) std::abort();
        void* const mapped =
            mmap(nullptr, this->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) std::abort();
        begin = static_cast<char*>(mapped);
    }
    void release() const {
        munmap(begin, bytes);
        close(file);
    }
    static std::map<Address, SharedMemory>& all() {
        static auto& memories = *new std::map<Address, SharedMemory>;
        return memories;
    }

    std::size_t bytes;
    int file;
    char* begin = nullptr;
};

/// The memory of another process; null if that has ended. `flags` are those of mmap.
inline void* opened(const SharedName& name, int flags) {
    const std::string path =
        "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.file);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    void* const memory = mmap(nullptr, name.bytes, PROT_READ | PROT_WRITE, flags, file, 0);
    close(file);
    return memory != MAP_FAILED ? memory : nullptr;
}

}  // namespace fake
