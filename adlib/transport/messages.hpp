// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <adlib/operand.hpp>
#include <cstddef>
#include <hpspmd/collective.hpp>
#include <hpspmd/observe.hpp>
#include <memory>

namespace hpspmd::detail {
class Link;
}

namespace hpspmd::detail::transport {

/// A process to exchange messages with, and the way to it: shared memory if there is a link, else
/// MPI. Found once; kept by schedules.
struct Peer {
    Peer() = default;
    Peer(int process);  // not explicit: where a message is sent once, its number will do

    int process = 0;  ///< its number in the initial group
    Link* link = nullptr;
};

/// What to do with a message when it has come: unpack it, say. Its bytes stay only as long.
struct Arrival {
    void (*run)(const void* context, const char* data) = nullptr;
    const void* context = nullptr;
    /// What else to do if the sender shows the stretch that the message is to be read from.
    void (*read)(const void* context, const char* stretch) = nullptr;
};

/// How to compose a message: to write all of its bytes to `out`.
struct Departure {
    void (*run)(const void* context, char* out) = nullptr;
    const void* context = nullptr;
};

/// Memory that a message is to be read from.
struct Shown {
    const void* begin = nullptr;
    std::size_t bytes = 0;
    bool isMessage = false;  ///< the message is these bytes, in their order
};

/// What observers are told of a message that is sent in parts: with the first one the bytes of all,
/// with further ones nothing.
struct Told {
    bool isTold = true;
    std::size_t bytes = 0;  ///< 0: as many as are sent
};

/// Tells observers of a communication. Without a plan or a group there is nothing to tell.
inline void observe(const Communication& communication) {
    if (observer == nullptr) return;
    if (communication.plan != nullptr || communication.group != nullptr)
        Telling::communicates(communication);
}

/// A set of messages in flight between this process and others; the whole of Adlib communicates
/// through this class and exchange(). Messages between the same pair of processes arrive in the
/// order they were posted, which is enough, since every pair runs the collectives it shares in one
/// order. They also carry the tag of their collective: one that belongs to another is never taken
/// for the right one, and the wait for it ends with an AdlibError (collective.hpp). Any size is
/// legal. Memory grows to the largest set ever posted and is then reused, so posting allocates
/// nothing in steady state. Errors: MpiError. After an error in a collective under way this process
/// exchanges no more messages: those of the failed one may still be under way, and who sent how
/// many is not known any more. Each further one is an AdlibError.
class Messages {
public:
    Messages();
    ~Messages();
    Messages(const Messages&) = delete;
    Messages& operator=(const Messages&) = delete;

    /// The collective that the following messages belong to.
    void begin(const Entered& entered);

    /// The message comes to `to`; or, with an arrival, that is run on it, which may be without a
    /// copy. `to` is then only room, and may be null for a peer with a link.
    void receive(void* to, std::size_t bytes, const Peer& peer, const Arrival& arrival = {});

    void send(const void* data, std::size_t bytes, const Peer& peer, const Told& told = {});
    /// The message is composed where the peer reads it, as soon as there is room, perhaps in
    /// wait(); or in `buffer`, which may be null for a peer with a link.
    void send(const Departure& departure, char* buffer, std::size_t bytes, const Peer& peer,
              const Told& told = {});
    /// To a peer with a link, who has an arrival that reads: it gets the stretch shown, if show()
    /// has made it visible, else the message as it is composed.
    void send(const Departure& departure, const Shown& stretch, std::size_t bytes,
              const Peer& peer);

    /// Makes a stretch visible to peers with a link, if possible. Messages by MPI that are under
    /// way into its pages forbid it.
    static void show(const Shown& stretch);

    /// Lets what can travel do so, and returns at once.
    void poll();

    /// Returns when all are complete; the set is then empty. The buffers belong to the messages
    /// until then. After an error the set is empty too.
    void wait();

private:
    void open();
    void end();
    /// Calls f(); an error ends all communication of this process.
    template <class F>
    void guarded(const F& f);

    struct Sets;
    std::unique_ptr<Sets> sets_;
};

/// True while this process can take part in communication: MPI runs, and no collective has failed.
bool canCommunicate();

/// For destructors of operations under way: completes them, which the other processes wait for. An
/// error has been told, or the next collective tells it.
template <class Finish>
void completeAtEnd(const Finish& finish) noexcept {
    if (!canCommunicate()) return;
    try {
        const Call call{"the end of a schedule under way", {}};
        finish();
    } catch (...) {
    }
}

/// Tells observers of bytes that go to a process in another way.
void noteSent(std::size_t bytes, const Peer& peer);

/// From now on a message travels in parts of at most so many bytes; for tests, on all processes
/// alike.
void setLargestPart(std::size_t bytes);

/// Sends one block and receives another from the same peer.
void exchange(const Entered& entered, const void* data, void* to, std::size_t bytes,
              const Peer& peer);

}  // namespace hpspmd::detail::transport
