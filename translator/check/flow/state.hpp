// What a forward flow analysis knows at one place of a function.
#pragma once

#include "check/types.hpp"

#include <bitset>

namespace hpcc::check::flow {

// At most this many variables of one function are followed at a time; further ones are not judged.
inline constexpr std::size_t trackedLimit = 128;
using Bits = std::bitset<trackedLimit>;

// Perhaps: behind something that may leave sideways unseen (a macro, an unknown function).
enum class Reach { Never, Perhaps, Certain };

// The state at a place, joined over all paths that lead there. Where no path leads (Reach::Never),
// `assigned` is full, so that it is neutral in a join and nothing is reported there.
//
//     int n;               assigned {}    touched {}
//     if (c) n = 1;        after it: assigned {}  touched {n}
struct State {
    Reach reach = Reach::Never;
    Bits assigned = Bits().set();  // those that every path assigns
    Bits touched;                  // those that some path assigns
    NodePtr cause = nullptr;       // what ended the path, if no path leads here

    static State begin() { return {Reach::Certain, {}, {}, nullptr}; }
    static State never(NodePtr cause) { return {Reach::Never, Bits().set(), {}, cause}; }

    bool isReached() const { return reach != Reach::Never; }

    void join(const State& other) {
        if (!isReached() && other.isReached()) cause = nullptr;
        if (!cause && !other.isReached() && !isReached()) cause = other.cause;
        reach = std::max(reach, other.reach);
        assigned &= other.assigned;
        touched |= other.touched;
    }

    // As join, where it is known elsewhere which of the two paths exists: `if constexpr`.
    void joinEither(const State& other) {
        const bool anyone = isReached() || other.isReached();
        reach = anyone ? Reach::Perhaps : Reach::Never;
        assigned |= other.assigned;
        touched |= other.touched;
    }

    // The path may go on in a way that is not seen; nothing is to be reported on it.
    void relax() {
        reach = Reach::Perhaps;
        assigned.set();
        touched.set();
    }
    void doubt() { reach = std::min(reach, Reach::Perhaps); }
};

inline State joined(State a, const State& b) {
    a.join(b);
    return a;
}

}  // namespace hpcc::check::flow
