// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a forward flow analysis knows at one place of a function.
#pragma once

#include "check/types.hpp"

#include <algorithm>
#include <bitset>
#include <vector>

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
    bool mayHaveEnded = false;     // the last statement may be one that never returns: usage();

    // What a member of the group has assigned besides: `on (p) n = 1;` is followed by the same
    // condition in the next `on (p)`.
    struct Membership {
        const Symbol* group;
        Bits assigned;
    };
    std::vector<Membership> members;

    static State begin() { return {Reach::Certain, {}, {}, nullptr, false, {}}; }
    static State never(NodePtr cause) { return {Reach::Never, Bits().set(), {}, cause, false, {}}; }

    bool isReached() const { return reach != Reach::Never; }

    Bits assignedOn(const Symbol* group) const {
        const auto found = std::ranges::find(members, group, &Membership::group);
        return found == members.end() ? assigned : assigned | found->assigned;
    }

    // Of a path that may have ended, nothing is expected where it meets another one.
    void join(const State& other) {
        if (isReached() && other.isReached() && mayHaveEnded != other.mayHaveEnded) {
            State ending = mayHaveEnded ? *this : other;
            if (mayHaveEnded) *this = other;
            ending.mayHaveEnded = false;
            ending.assigned.set();
            return join(ending);
        }
        mayHaveEnded |= other.mayHaveEnded;
        joinMembers(other);
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
    void doubtLast() {
        doubt();
        mayHaveEnded = isReached();
    }

private:
    void joinMembers(const State& other) {
        if (!other.isReached() || (members.empty() && other.members.empty())) return;
        if (!isReached()) {
            members = other.members;
            return;
        }
        for (Membership& each : members)
            each.assigned = (assigned | each.assigned) & other.assignedOn(each.group);
        for (const Membership& each : other.members)
            if (std::ranges::find(members, each.group, &Membership::group) == members.end())
                members.push_back({each.group, assigned & (other.assigned | each.assigned)});
    }
};

inline State joined(State a, const State& b) {
    a.join(b);
    return a;
}

}  // namespace hpcc::check::flow
