// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Messages between two processes of a node job, cut into bytes for the ring between them.

#include "transport/rings.hpp"
#include "transport/transport.hpp"

#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace hpspmd::detail {

/// What goes before the bytes of a message.
struct Frame {
    std::uint64_t bytes = 0;
    int tag = 0;
    Subject subject = Subject::Collectives;
    bool isSynchronous = false;

    bool suits(const Frame& wanted) const { return subject == wanted.subject && tag == wanted.tag; }
};

/// A message to be sent, or to be received.
struct Delivery {
    Frame frame;                 ///< of one to be received: with the bytes that there is room for
    const char* data = nullptr;  ///< to be sent
    char* to = nullptr;          ///< to be received there; may be null for no bytes
    bool isAwaited = true;       ///< false of one to be received for which nobody waits any more
    bool isDone = false;
    std::size_t written = 0;       ///< bytes of the frame and the data in the ring
    std::uint64_t awaitedAsk = 0;  ///< a synchronous one is done once so many have been asked for
    std::vector<char> copy;        ///< of data that had to go
};
using DeliveryPtr = std::shared_ptr<Delivery>;

/// The way to one process.
class OutStream {
public:
    OutStream(const NodeMemory& memory, Ring& ring) : bytes_(memory.bytesOf(ring)) {}

    void send(const DeliveryPtr& message);
    /// Writes what there is room for.
    void advance();

private:
    bool write(Delivery& message);

    RingBytes bytes_;
    std::uint64_t synchronous_ = 0;
    std::deque<DeliveryPtr> queue_;    ///< not wholly written
    std::deque<DeliveryPtr> unasked_;  ///< synchronous ones, written
};

/// The way from one process.
class InStream {
public:
    InStream(const NodeMemory& memory, Ring& ring) : bytes_(memory.bytesOf(ring)) {}

    void receive(const DeliveryPtr& wanted);
    /// Reads what has come.
    void advance();
    /// The first message that suits and that nobody else waits for.
    bool take(const Frame& wanted, void* to);

private:
    struct Arriving {
        Frame frame;
        std::vector<char> data;
    };

    bool readFrame();
    bool readData();
    void match();
    void deliver(const Arriving& message, Delivery& wanted);
    void noteAsked(const Frame& frame);

    RingBytes bytes_;
    Arriving coming_;
    bool hasFrame_ = false;
    std::size_t read_ = 0;         ///< of the data of `coming_`
    std::list<Arriving> arrived_;  ///< whole, and not asked for
    std::list<DeliveryPtr> wanted_;
};

}  // namespace hpspmd::detail
