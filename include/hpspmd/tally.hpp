// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Tally, which counts a nest or a call of a collective where an observer wants no more of it.

#include <hpspmd/where.hpp>

#include <cstdint>

namespace hpspmd::detail {

struct Communication;
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

/// What each execution of a nest or a collective in the program's text looks at: one line of the
/// cache, as a program's own elements push it out of the first one between two executions.
struct alignas(64) SiteCount {
    const char* what;
    Where where;
    std::uint64_t count = 0;
    std::uint64_t nextTimed = 0;           ///< the execution that the observer is to be told of
    SiteCount* successor = this;           ///< what began after it, last time
    const Communication* usual = nullptr;  ///< what those take part in that are only counted
    std::uint64_t told = 0;                ///< executions that the observer was told of

    SiteCount(const char* what, Where where) : what(what), where(where) {}

    bool is(const char* name, Where place) const {
        return where.line == place.line && what == name && where.file == place.file;
    }
};

/// The sites that an observer counts, in the order in which they follow each other mostly.
struct alignas(64) Tally {
    const Observer* of = nullptr;  ///< who is told of all that is not counted
    const void* thread = nullptr;  ///< whose executions are counted; null: those of none
    SiteCount* before = nullptr;   ///< that began last
    SiteCount* next = nullptr;     ///< that begins next, if it is as the last time

    /// One more execution, of which nothing is to be told: neither its begin nor its end, nor that
    /// a schedule was there nor what it takes part in. False: all is.
    bool counts(const char* name, Where where, const Communication* usual = nullptr);
};

inline Tally tally;

}  // namespace hpspmd::detail
