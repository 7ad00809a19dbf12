// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_large_copies.hpp"

#include "threads.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>

namespace hpspmd::detail {

bool CudaLargeCopies::takes(std::size_t bytes) {
    if (bytes < least) return false;
    if (!wasTried_ && !makeLanes()) lanes_.clear();
    wasTried_ = true;
    return !lanes_.empty();
}

bool CudaLargeCopies::makeLanes() {
    const int threads = std::min(mostThreads, threadsForCopies());
    if (threads < 2) return false;
    void* all = nullptr;
    const std::size_t rooms = 2 * static_cast<std::size_t>(threads);
    if (driver_.allocateAtHome(&all, rooms * piece, cudaHostForAllContexts) != 0) return false;
    auto* memory = static_cast<std::byte*>(all);
    lanes_.resize(rooms / 2);
    for (Lane& lane : lanes_)
        for (Room& room : lane.rooms) {
            room.memory = memory;
            memory += piece;
            if (driver_.createStream(&room.stream, cudaStreamNonBlocking) != 0) return false;
        }
    return true;
}

template <class Copy>
bool CudaLargeCopies::inLanes(const Copy& copy) {
    std::atomic<bool> isDone{true};
    const auto run = [&](std::size_t number) {
        const Lane& lane = lanes_[number];
        bool isMine = driver_.useContext(context_) == 0 && copy(lane, number);
        for (const Room& room : lane.rooms) isMine = waitFor(room) && isMine;
        if (!isMine) isDone = false;
    };
    std::vector<std::thread> threads;
    threads.reserve(lanes_.size());
    std::size_t number = 1;
    try {
        for (; number < lanes_.size(); ++number) threads.emplace_back(run, number);
    } catch (const std::system_error&) {  // there are no more threads
    }
    run(0);
    for (; number < lanes_.size(); ++number) run(number);
    for (std::thread& each : threads) each.join();
    return isDone;
}

bool CudaLargeCopies::copyIn(CudaAddress to, const std::byte* home, std::size_t bytes) {
    const std::size_t step = lanes_.size() * piece;
    return inLanes([=, this](const Lane& lane, std::size_t number) {
        int turn = 0;
        for (std::size_t at = number * piece; at < bytes; at += step, turn = 1 - turn) {
            const Room& room = lane.rooms[turn];
            const std::size_t size = std::min(piece, bytes - at);
            if (!waitFor(room)) return false;
            std::memcpy(room.memory, home + at, size);
            if (driver_.copyIn(to + at, room.memory, size, room.stream) != 0) return false;
        }
        return true;
    });
}

bool CudaLargeCopies::copyOut(std::byte* home, CudaAddress from, std::size_t bytes) {
    const std::size_t step = lanes_.size() * piece;
    return inLanes([=, this](const Lane& lane, std::size_t number) {
        const auto arrive = [&](std::size_t at, const Room& room) {
            if (!waitFor(room)) return false;
            std::memcpy(home + at, room.memory, std::min(piece, bytes - at));
            return true;
        };
        int turn = 0;
        std::size_t before = bytes;  // none
        for (std::size_t at = number * piece; at < bytes; at += step, turn = 1 - turn) {
            const Room& room = lane.rooms[turn];
            const std::size_t size = std::min(piece, bytes - at);
            if (driver_.copyOut(room.memory, from + at, size, room.stream) != 0) return false;
            if (before < bytes && !arrive(before, lane.rooms[1 - turn])) return false;
            before = at;
        }
        return before == bytes || arrive(before, lane.rooms[1 - turn]);
    });
}

}  // namespace hpspmd::detail
