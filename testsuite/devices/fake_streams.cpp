// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_streams.hpp"

#include "fake_calls.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace {

using Handle = void*;
using Address = unsigned long long;

struct Late {
    std::vector<std::function<void()>> work;
};
std::set<Handle>& lateStreams() {
    static auto& all = *new std::set<Handle>;
    return all;
}

struct Event {
    Handle stream = nullptr;  // in which it was recorded last
};

char plain = 0;  // whose address stands for all other streams

}  // namespace

int fake::inOrder(void* stream, std::function<void()> work) {
    if (const int error = beginCall()) return error;
    if (lateStreams().count(stream) > 0)
        static_cast<Late*>(stream)->work.push_back(std::move(work));
    else
        work();
    return 0;
}

void fake::catchUp(void* stream) {
    if (lateStreams().count(stream) == 0) return;
    for (const auto& each : std::exchange(static_cast<Late*>(stream)->work, {})) each();
}

extern "C" {

int cuStreamCreate(Handle* stream, unsigned) {
    *stream = &plain;
    return fake::beginCall();
}
int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0, *greatest = -5;
    return fake::beginCall();
}
int cuStreamCreateWithPriority(Handle* stream, unsigned, int priority) {
    if (priority != -5) return 1;
    *stream = new Late;
    lateStreams().insert(*stream);
    return fake::beginCall();
}

int cuEventCreate(Handle* event, unsigned) {
    *event = new Event;
    return fake::beginCall();
}
int cuEventRecord(Handle event, Handle stream) {
    static_cast<Event*>(event)->stream = stream;
    return fake::beginCall();
}
int cuStreamWaitEvent(Handle stream, Handle event, unsigned) {
    Handle const earlier = static_cast<Event*>(event)->stream;
    if (earlier != stream) fake::catchUp(earlier);
    return fake::beginCall();
}

int cuStreamWriteValue32_v2(Handle stream, Address flag, std::uint32_t number, unsigned) {
    return fake::inOrder(
        stream, [=] { std::atomic_ref(*reinterpret_cast<std::uint32_t*>(flag)).store(number); });
}
int cuStreamWaitValue32_v2(Handle stream, Address flag, std::uint32_t number, unsigned) {
    return fake::inOrder(stream, [=] {
        const std::atomic_ref value(*reinterpret_cast<std::uint32_t*>(flag));
        while (static_cast<std::int32_t>(value.load() - number) < 0) usleep(20);
    });
}

}  // extern "C"
