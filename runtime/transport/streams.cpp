// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/streams.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hpspmd::detail {
namespace {

/// Calls part(at, count, done) for the one or two stretches of a ring that hold `bytes` from
/// `begin` on.
template <class Part>
void inRing(std::uint64_t begin, std::size_t bytes, std::size_t capacity, Part part) {
    for (std::size_t done = 0; done < bytes;) {
        const std::size_t at = static_cast<std::size_t>((begin + done) % capacity);
        const std::size_t count = std::min(bytes - done, capacity - at);
        part(at, count, done);
        done += count;
    }
}

}  // namespace

void OutStream::send(const DeliveryPtr& message) {
    if (message->frame.isSynchronous) message->awaitedAsk = ++synchronous_;
    queue_.push_back(message);
    advance();
}

void OutStream::advance() {
    while (!queue_.empty() && write(*queue_.front())) {
        if (queue_.front()->frame.isSynchronous)
            unasked_.push_back(queue_.front());
        else
            queue_.front()->isDone = true;
        queue_.pop_front();
    }
    while (!unasked_.empty() && unasked_.front()->awaitedAsk <= ring_.asked.load()) {
        unasked_.front()->isDone = true;
        unasked_.pop_front();
    }
}

/// True once all of it is in the ring.
bool OutStream::write(Delivery& message) {
    const char* const frame = reinterpret_cast<const char*>(&message.frame);
    constexpr std::size_t head = sizeof(Frame);
    if (message.written < head)
        message.written += put(frame + message.written, head - message.written);
    if (message.written < head) return false;
    const std::size_t sent = message.written - head;
    message.written += put(message.data + sent, message.frame.bytes - sent);
    return message.written == head + message.frame.bytes;
}

/// As many of the bytes as there is room for.
std::size_t OutStream::put(const char* from, std::size_t bytes) {
    const std::uint64_t written = ring_.written.load(std::memory_order_relaxed);
    const std::uint64_t used = written - ring_.read.load(std::memory_order_acquire);
    const std::size_t count = std::min(bytes, capacity_ - static_cast<std::size_t>(used));
    inRing(written, count, capacity_, [&](std::size_t at, std::size_t length, std::size_t done) {
        std::memcpy(bytes_ + at, from + done, length);
    });
    ring_.written.store(written + count, std::memory_order_release);
    return count;
}

void InStream::receive(const DeliveryPtr& wanted) {
    wanted_.push_back(wanted);
    match();
}

void InStream::advance() {
    bool isNew = false;
    while ((hasFrame_ || readFrame()) && readData()) {
        arrived_.push_back(std::exchange(coming_, Arriving{}));
        hasFrame_ = false;
        isNew = true;
    }
    if (isNew) match();
}

bool InStream::take(const Frame& wanted, void* to) {
    const auto found = std::find_if(arrived_.begin(), arrived_.end(), [&](const Arriving& message) {
        return message.frame.suits(wanted);
    });
    if (found == arrived_.end()) return false;
    std::memcpy(to, found->data.data(), std::min<std::size_t>(found->data.size(), wanted.bytes));
    noteAsked(found->frame);
    arrived_.erase(found);
    return true;
}

bool InStream::readFrame() {
    if (waitingBytes() < sizeof(Frame)) return false;
    get(&coming_.frame, sizeof(Frame));
    coming_.data.resize(coming_.frame.bytes);
    hasFrame_ = true;
    read_ = 0;
    return true;
}

/// True once the message is whole.
bool InStream::readData() {
    const std::size_t count = std::min(waitingBytes(), coming_.data.size() - read_);
    get(coming_.data.data() + read_, count);
    read_ += count;
    return read_ == coming_.data.size();
}

/// Messages of one subject and tag go to those who asked for them first.
void InStream::match() {
    wanted_.remove_if([](const DeliveryPtr& wanted) { return !wanted->isAwaited; });
    wanted_.remove_if([&](const DeliveryPtr& wanted) {
        const auto found = std::find_if(
            arrived_.begin(), arrived_.end(),
            [&](const Arriving& message) { return message.frame.suits(wanted->frame); });
        if (found == arrived_.end()) return false;
        deliver(*found, *wanted);
        arrived_.erase(found);
        return true;
    });
}

void InStream::deliver(const Arriving& message, Delivery& wanted) {
    std::copy_n(message.data.data(), std::min<std::size_t>(message.data.size(), wanted.frame.bytes),
                wanted.to);
    wanted.frame.bytes = message.frame.bytes;
    wanted.isDone = true;
    noteAsked(message.frame);
}

void InStream::noteAsked(const Frame& frame) {
    if (frame.isSynchronous) ring_.asked.fetch_add(1);
}

/// They have been written.
void InStream::get(void* to, std::size_t bytes) {
    const std::uint64_t read = ring_.read.load(std::memory_order_relaxed);
    inRing(read, bytes, capacity_, [&](std::size_t at, std::size_t length, std::size_t done) {
        std::memcpy(static_cast<char*>(to) + done, bytes_ + at, length);
    });
    ring_.read.store(read + bytes, std::memory_order_release);
}

std::size_t InStream::waitingBytes() const {
    return static_cast<std::size_t>(ring_.written.load(std::memory_order_acquire) -
                                    ring_.read.load(std::memory_order_relaxed));
}

}  // namespace hpspmd::detail
