// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/streams.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hpspmd::detail {
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
    while (!unasked_.empty() && unasked_.front()->awaitedAsk <= bytes_.ring().asked.load()) {
        unasked_.front()->isDone = true;
        unasked_.pop_front();
    }
}

/// True once all of it is in the ring.
bool OutStream::write(Delivery& message) {
    const char* const frame = reinterpret_cast<const char*>(&message.frame);
    constexpr std::size_t head = sizeof(Frame);
    if (message.written < head)
        message.written += bytes_.put(frame + message.written, head - message.written);
    if (message.written < head) return false;
    const std::size_t sent = message.written - head;
    message.written += bytes_.put(message.data + sent, message.frame.bytes - sent);
    return message.written == head + message.frame.bytes;
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
    if (bytes_.waiting() < sizeof(Frame)) return false;
    bytes_.get(&coming_.frame, sizeof(Frame));
    coming_.data.resize(coming_.frame.bytes);
    hasFrame_ = true;
    read_ = 0;
    return true;
}

/// True once the message is whole.
bool InStream::readData() {
    read_ += bytes_.get(coming_.data.data() + read_, coming_.data.size() - read_);
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
    if (frame.isSynchronous) bytes_.ring().asked.fetch_add(1);
}

}  // namespace hpspmd::detail
