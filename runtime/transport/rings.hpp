// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Rings of bytes in memory that two processes see; and the shared memory of a node job: what its
/// processes tell each other, and a ring from each to each. It begins as zeros; all processes map
/// it at their start.

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hpspmd::detail {

/// Bytes on their way from one process to another one; each count is written by one of them only.
struct Ring {
    alignas(64) std::atomic<std::uint64_t> written;
    std::atomic<bool> isBroken;  ///< no more will be written
    alignas(64) std::atomic<std::uint64_t> read;
    std::atomic<std::uint64_t> asked;  ///< synchronous messages that the receiver has asked for
};

/// A ring and where its bytes lie.
class RingBytes {
public:
    RingBytes(Ring& ring, char* bytes, std::size_t capacity)
        : ring_(ring), bytes_(bytes), capacity_(capacity) {}

    /// As many of the bytes as there is room for.
    std::size_t put(const char* from, std::size_t bytes);
    /// As many as have been written.
    std::size_t get(void* to, std::size_t bytes);
    std::size_t waiting() const;  ///< written, and not read

    Ring& ring() const { return ring_; }

private:
    Ring& ring_;
    char* bytes_;
    std::size_t capacity_;
};

/// Of each process.
struct NodeMember {
    static constexpr std::size_t gatherBytes = 1024;

    std::atomic<std::uint64_t> barriers[3];  ///< entered: collectives, notes, the node's gathering
    char gathered[gatherBytes];
};

/// What the launcher reads, at the start of the file (translator/driver/node_job.cpp).
struct NodeHead {
    std::atomic<int> exitCode;  ///< 1 + that of a process that ends the job
    std::atomic<int> started;   ///< so many processes have started
    std::atomic<int> finished;
};

class NodeMemory {
public:
    /// Maps the file of a job of so many processes; it is made long enough. MpiError if it cannot.
    NodeMemory(int file, int size);

    /// Sets the exit code of the job, unless it has one.
    void setExitCode(int code);
    NodeHead& head() const { return *head_; }
    NodeMember& member(int process) const { return members_[process]; }
    Ring& ring(int from, int to) const;
    RingBytes bytesOf(Ring& ring) const;

private:
    int size_;
    std::size_t ringBytes_;
    NodeHead* head_;
    NodeMember* members_;
    Ring* rings_;
    char* bytes_;
};

}  // namespace hpspmd::detail
