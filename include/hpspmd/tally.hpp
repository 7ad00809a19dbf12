// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tally, which counts a nest or a call of a collective where an observer wants no more of it.

#include <hpspmd/where.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hpspmd::detail {

struct GroupRecord;
class Observer;

/// What tells one thread from another: an address that each has for itself.
inline const void* ownThread() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    return __builtin_thread_pointer();  // one instruction, also in code that may stand anywhere
#else
    thread_local const char own = 0;
    return &own;
#endif
}

/// What a nest is called; a collective has its name, one address for each.
inline constexpr char nestName[] = "nest";

/// A communication of which each message follows from layouts and sizes, so that it can be priced
/// for other numbers of processes, too. Equal ones have equal members.
struct Communication {
    const char* kind = "";               ///< "plan", "combine", ..
    const std::string* plan = nullptr;   ///< what was planned, JSON; immortal; or null
    const GroupRecord* group = nullptr;  ///< who takes part, if there is no plan
    std::size_t size = 0, count = 0;     ///< elements, or values: bytes of one, and how many

    friend bool operator==(const Communication& a, const Communication& b) {
        return a.kind == b.kind && a.plan == b.plan && a.group == b.group && a.size == b.size &&
               a.count == b.count;
    }
};

/// What an execution of a collective tells.
struct Heard {
    Communication communication;                                               ///< the last one
    std::uint64_t communications = 0, messages = 0, bytes = 0, schedules = 0;  ///< found ones

    friend bool operator==(const Heard& a, const Heard& b) {
        return a.communication == b.communication && a.communications == b.communications &&
               a.messages == b.messages && a.bytes == b.bytes && a.schedules == b.schedules;
    }
};

/// What each execution of a nest or a collective in the program's text looks at: one line of the
/// cache, as a program's own elements push it out of the first one between two executions.
struct alignas(64) SiteCount {
    const char* what;
    Where where;
    std::uint64_t count = 0;
    std::uint64_t nextTimed = 0;          ///< the execution that the observer is to be told of
    SiteCount* successor = this;          ///< what began after it, last time
    const Heard* usual = nullptr;         ///< what those of a collective tell that are only counted
    const Communication* same = nullptr;  ///< its communication, where that is kept elsewhere, too

    SiteCount(const char* what, Where where) : what(what), where(where) {}

    bool is(const char* name, Where place) const {
        return where.line == place.line && what == name && where.file == place.file;
    }
    /// The next execution is to be told.
    bool isDue() const { return count + 1 >= nextTimed; }
};

/// Null: nobody looks.
inline Observer* observer = nullptr;

/// The sites that an observer counts, in the order in which they follow each other mostly. An
/// execution that is only counted tells the observer nothing, neither its begin nor its end.
struct alignas(64) Tally {
    /// Of a collective under way: it is told; or that is not known before its communication is; or
    /// it is counted.
    enum class Now : char { Tells, Waits, Counts };

    const Observer* of = nullptr;  ///< who is told of all that is not counted
    const void* thread = nullptr;  ///< whose executions are counted; null: those of none
    SiteCount* before = nullptr;   ///< that began last
    SiteCount* next = nullptr;     ///< that begins next, if it is as the last time
    Now now = Now::Tells;
    bool hasFound = false;  ///< a schedule, while it is not told

    /// One more execution of a nest that is only counted. False: it is to be told.
    bool counts(const char* name, Where where);

    /// The observer's, and of this thread.
    bool isOwn() const { return of == observer && ownThread() == thread; }
    void count(SiteCount& site) {
        ++site.count;
        before = &site;
        next = site.successor;
    }
};

inline Tally tally;

}  // namespace hpspmd::detail
