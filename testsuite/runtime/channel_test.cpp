/// The flag protocol between two threads, in place of processes; built with -fsanitize=thread,
/// which finds every access that the flags do not order.

#include "links/channel.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include <sched.h>

using namespace hpspmd::detail;

namespace {

constexpr std::uint64_t messages = 20'000;
constexpr std::size_t largest = 1000;

/// One side's memory: its channel, and room for each slot.
struct Side {
    Channel channel{};
    char rooms[Channel::depth][largest];
};

template <class Condition>
void await(const Condition& condition) {
    while (!condition()) sched_yield();
}

void require(bool condition, const char* what, std::uint64_t number) {
    if (condition) return;
    std::fprintf(stderr, "message %llu: %s\n", static_cast<unsigned long long>(number), what);
    std::exit(1);
}

std::size_t sizeOf(std::uint64_t number) { return number * 37 % largest; }
char contentOf(std::uint64_t number) { return static_cast<char>(number % 101); }

void send(Side& own, Outlet& out) {
    const std::uint64_t number = out.promise();
    await([&] { return out.isFree(number); });
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

void receive(Inlet& in) {
    const std::uint64_t number = in.expect();
    await([&] { return in.arrived(number) != nullptr; });
    const Channel::Slot& slot = *in.arrived(number);
    require(slot.tag == number + 7, "wrong tag", number);
    require(slot.bytes == sizeOf(number), "wrong size", number);
    for (std::size_t k = 0; k < slot.bytes; ++k)
        require(in.data(slot)[k] == contentOf(number), "wrong data", number);
    in.take(number);
}

/// Sends and receives alternately, some messages ahead.
void run(Side& own, Side& other) {
    Outlet out(&own.channel);
    Inlet in(&other.channel, reinterpret_cast<const std::byte*>(other.rooms[0]));
    for (std::uint64_t k = 0; k < messages; ++k) {
        send(own, out);
        if (k >= 3) receive(in);
    }
    for (int k = 0; k < 3; ++k) receive(in);
    await([&] { return out.isTaken(messages - 1); });
}

}  // namespace

int main() {
    const auto first = std::make_unique<Side>(), second = std::make_unique<Side>();
    std::thread other([&] { run(*second, *first); });
    run(*first, *second);
    other.join();
    std::puts("all messages came");
}
