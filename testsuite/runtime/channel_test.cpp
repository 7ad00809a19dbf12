// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The flag protocol between two threads, in place of processes, that spin or sleep while they
/// wait; built with -fsanitize=thread, which finds every access that the flags do not order.

#include "links/channel.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace hpspmd::detail;

namespace {

constexpr std::uint64_t messages = 20'000;
constexpr std::size_t largest = 1000;

/// One side's memory: its channel, its bell, and room for each slot.
struct Side {
    Channel channel{};
    Bell bell;
    char rooms[Channel::depth][largest];
};

/// Sleeps on a bell, if there is one, so long that a lost ring would not be overlooked.
template <class Condition>
void await(Bell* bell, Bell::Event event, const Condition& condition) {
    constexpr double forever = 1e6;
    constexpr std::size_t place = 0;  // of the other side
    const Bell::Events awaited = Bell::events(event, place);
    bool listens = false;
    for (int turn = 1; !condition(); ++turn) {
        if (bell == nullptr) {
            if (turn % 100 == 0) ::usleep(1);  // to yield is not enough on a busy machine
        } else if (listens && bell->keep(awaited)) {
            bell->sleep(forever);
            listens = false;
        } else {
            bell->listen(awaited);
            listens = true;
        }
    }
    if (bell != nullptr) bell->ignore();
}

void require(bool condition, const char* what, std::uint64_t number) {
    if (condition) return;
    std::fprintf(stderr, "message %llu: %s\n", static_cast<unsigned long long>(number), what);
    std::exit(1);
}

std::size_t sizeOf(std::uint64_t number) { return number * 37 % largest; }
char contentOf(std::uint64_t number) { return static_cast<char>(number % 101); }

void send(Side& own, Outlet& out, Bell* bell) {
    const std::uint64_t number = out.promise();
    await(bell, Bell::Taken, [&] { return out.isFree(number); });
    const std::size_t bytes = sizeOf(number);
    char* const room = own.rooms[number % Channel::depth];
    std::memset(room, contentOf(number), bytes);
    if (bytes <= Channel::inlineBytes) {
        std::memcpy(out.dataInSlot(number), room, bytes);
        out.post(number, number + 7, bytes, Channel::inSlot);
    } else {
        out.post(number, number + 7, bytes, static_cast<std::uint64_t>(room - own.rooms[0]));
    }
}

void receive(Inlet& in, Bell* bell) {
    const std::uint64_t number = in.expect();
    await(bell, Bell::Posted, [&] { return in.arrived(number) != nullptr; });
    const Channel::Slot& slot = *in.arrived(number);
    require(slot.tag == number + 7, "wrong tag", number);
    require(slot.bytes == sizeOf(number), "wrong size", number);
    for (std::size_t k = 0; k < slot.bytes; ++k)
        require(in.data(slot)[k] == contentOf(number), "wrong data", number);
    in.take(number);
}

/// Sends and receives alternately, some messages ahead.
void run(Side& own, Side& other, bool sleeps) {
    Bell* const bell = sleeps ? &own.bell : nullptr;
    const Ringer others{sleeps ? &other.bell : nullptr, 0};
    Outlet out(&own.channel, others);
    Inlet in(&other.channel, reinterpret_cast<const std::byte*>(other.rooms[0]), nullptr, others);
    for (std::uint64_t k = 0; k < messages; ++k) {
        send(own, out, bell);
        if (k >= 3) receive(in, bell);
    }
    for (int k = 0; k < 3; ++k) receive(in, bell);
    await(bell, Bell::Taken, [&] { return out.isTaken(messages - 1); });
}

}  // namespace

int main() {
    for (const bool sleeps : {false, true}) {
        const auto first = std::make_unique<Side>(), second = std::make_unique<Side>();
        std::thread other([&] { run(*second, *first, sleeps); });
        run(*first, *second, sleeps);
        other.join();
    }
    std::puts("all messages came");
}
