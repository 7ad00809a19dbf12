// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Entered, one execution of a collective, as the processes compare it.

#include <hpspmd/fingerprint.hpp>
#include <hpspmd/group.hpp>

namespace hpspmd::detail {

/// The number-th collective that this process entered over a group. `tag` tells its kind and plan:
/// all members must enter their number-th collective with the same tag.
struct Entered {
    const GroupRecord* group = nullptr;
    std::uint64_t number = 0;  ///< from 1
    Fingerprint tag = 0;
    const char* name = "";  ///< what messages call it, "writeHalo"
    Where where;
};

/// The name and the place of the collective that this process entered last, over any group; an
/// empty name before the first.
struct LastEntered {
    const char* name = "";
    Where where;
};
inline LastEntered lastEntered;

/// Children that the program makes by fork() take no part in the job.
namespace forks {
extern int generation;  ///< 0; in a child one more than in its parent
inline bool isChild() { return generation > 0; }
}  // namespace forks

/// Publishes that this process enters a collective over a group, to be called when its demands have
/// been checked and before the first message. `plan` is the fingerprint of all that its messages
/// depend on besides the name. Costs some stores into memory that nobody else looks at unless he
/// has waited long.
Entered enter(const char* name, const Group& group, Fingerprint plan, Where where);

/// What a wait is for.
struct Awaited {
    std::uint64_t events = 0;  ///< in memory (Bell::Events): the last of them wakes a sleeper
    bool first = false;        ///< the first of them does
    bool messages = false;     ///< of MPI, which wakes nobody: one must ask
};

/// How a wait for other processes passes its time:
///     for (Waiting waiting(entered); !arrived(); waiting.pause(awaited)) {}
/// It spins for a while, then gives up the core in turn. Where processes share cores (waitsSleep)
/// it sleeps instead: until it is woken by who causes the last of the events that awaited() names,
/// or, as long as that names messages of MPI, for naps that become longer, up to a millisecond.
/// After 0.2 s, and then again and again, it compares what the members of the group have entered:
/// AdlibError if one has entered another collective in place of this one, has ended without it, or
/// waits (perhaps in a circle of others) for a collective that this process has not entered. A
/// process that is computing is waited for.
class Waiting {
public:
    explicit Waiting(const Entered& entered);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// `awaited()` is asked for before a sleep only.
    template <class Function>
    void pause(const Function& awaited) {
        if (--spins_ >= 0)
            relax();
        else if (sleeps_)
            sleep(awaited());
        else
            yield();
    }
    /// Something has arrived: the wait begins anew.
    void restart() {
        spins_ = sleeps_ ? 0 : longestSpin;
        if (turns_ != 0) forget();
    }

private:
    static void relax() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    void yield();
    void sleep(const Awaited& awaited);
    void lookIfDue();
    void forget();

    static constexpr int longestSpin = 2000;

    const Entered& entered_;
    const bool sleeps_;
    bool listens_ = false;  // the own bell is set to ring
    int spins_;
    int turns_ = 0, looks_ = 0;
    double since_ = 0, nextLook_ = 0;  // seconds; 0: the clock has not been read yet
    double nap_ = 0;
};

/// To be called when a process sends a message of another collective, with that tag, in place of
/// one of `entered`: throws AdlibError.
[[noreturn]] void raiseOtherCollective(const Entered& entered, int process, Fingerprint tag);

/// To be called when a message that belongs to a collective does not fit: AdlibError if some member
/// has entered another collective instead; else it returns.
void explainMismatch(const Entered& entered);

/// Off: collectives are published, but never compared. The option --no-collective-checks.
void compareCollectives(bool on);

#ifdef HPSPMD_NO_COLLECTIVE_CHECKS
inline const bool collectivesAreNotCompared = (compareCollectives(false), true);
#endif

}  // namespace hpspmd::detail
