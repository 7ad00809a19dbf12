// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Who looks at a program while it runs: an observer is told when nests and collectives begin and
/// end, what they have written, when the process waits and what it sends.

#include <hpspmd/descriptor.hpp>
#include <hpspmd/tally.hpp>
#include <hpspmd/where.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace hpspmd::detail {

/// What the bytes of an element mean.
struct ElementForm {
    enum Kind : char {
        Unknown = '?',  ///< some of the bytes are padding and have no value
        Signed = 'i',
        Unsigned = 'u',
        Boolean = 'b',
        Floating = 'f',
        Complex = 'c',
        Bytes = 'x'
    };
    Kind kind = Unknown;
    unsigned bytes = 0;  ///< that hold the value
};

template <class T>
struct IsComplex : std::false_type {};
template <class R>
struct IsComplex<std::complex<R>> : std::bool_constant<sizeof(R) <= sizeof(double)> {};

template <class T>
constexpr ElementForm elementForm() {
    using Form = ElementForm;
    constexpr unsigned size = sizeof(T);
    if (std::is_same_v<T, bool>) return {Form::Boolean, size};
    if (std::is_integral_v<T>) return {std::is_signed_v<T> ? Form::Signed : Form::Unsigned, size};
    if (std::is_floating_point_v<T>)
        return {Form::Floating, std::numeric_limits<T>::digits == 64 ? 10 : size};
    if (IsComplex<T>::value) return {Form::Complex, size};
    if (std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>)
        return {Form::Bytes, size};
    return {};
}

/// An array that is written, the type of its elements erased. Without a group: no array.
struct WrittenArray {
    Descriptor layout;
    const void* data = nullptr;  ///< of local subscripts 0; null where nothing is held
    std::size_t elementSize = 0;
    ElementForm form;
};

/// Each function does nothing unless it is overridden.
class Observer {
public:
    /// What it is told only if it wants it, as even to tell costs time.
    struct Wishes {
        bool arrays = false;    ///< with nestBegins
        bool waits = false;     ///< from waitBegins to waitEnds, of what goes on now
        bool messages = false;  ///< when single ones depart and arrive
    };
    const Wishes& wants() const { return wishes; }

    // What each step of a program may tell stands first, so that the addresses lie together.

    /// An outermost nest begins that is going to write these arrays; and ends.
    virtual void nestBegins(Where, const WrittenArray*, int) {}
    virtual void nestEnds() {}
    /// A collective that belongs to no other begins; and ends.
    virtual void collectiveBegins(const char*, Where) {}
    virtual void collectiveEnds() {}
    /// The process takes part in a communication; all members of the group do.
    virtual void communicates(const Communication&) {}
    /// A schedule was found in the cache, so that it need not be made.
    virtual void findsSchedule() {}
    /// A message of so many bytes to a process.
    virtual void sends(int, std::size_t) {}

    virtual ~Observer() = default;

    /// An operation of that name has written the array, or has this result.
    virtual void hasWritten(const char*, Where, const WrittenArray&) {}
    virtual void hasResult(const char*, Where, const void*, ElementForm) {}
    /// The process waits for others; in between it may pause for work on what has come.
    virtual void waitBegins() {}
    virtual void waitPauses() {}
    virtual void waitResumes() {}
    virtual void waitEnds() {}
    /// Message k from this process to another departs; message k of the other one to this process
    /// has arrived.
    virtual void departs(int, std::uint64_t) {}
    virtual void arrives(int, std::uint64_t) {}
    /// Memory of an array.
    virtual void arrayMade(const void*, std::size_t) {}
    virtual void arrayFreed(const void*) {}

    /// All processes have done their work, and can still communicate.
    virtual void jobEnds() {}
    /// This process ends the job by an error.
    virtual void jobFails() {}

protected:
    Wishes wishes;
};

/// What a collective tells the observer, which is there. Of one that the tally counts it is told
/// nothing, if all of it is as usual.
class Telling {
public:
    static void begins(const char* name, Where where) {
        const SiteCount* const site = tally.next;
        if (!tally.isOwn() || site->usual == nullptr || !site->is(name, where) || site->isDue())
            return observer->collectiveBegins(name, where);
        tally.now = Tally::Now::Waits;
        tally.hasFound = false;
    }
    static void ends() {
        SiteCount& site = *tally.next;
        const bool isUsual = tally.now == Tally::Now::Counts ||
                             (tally.now == Tally::Now::Waits && site.usual->communications == 0);
        if (!isUsual) return endsTold();
        tally.now = Tally::Now::Tells;
        tally.count(site);
    }
    static void communicates(const Communication& communication) {
        const bool isUsual =
            tally.now == Tally::Now::Waits && communication == tally.next->usual->communication;
        if (!isUsual) return communicatesAnew(communication);
        tally.now = Tally::Now::Counts;
    }
    /// As if a schedule had been found for one that lives as long as the process: its address tells
    /// that it is the same.
    static void repeats(const Communication& communication) {
        if (tally.now != Tally::Now::Waits || &communication != tally.next->same)
            return repeatsAnew(communication);
        tally.now = Tally::Now::Counts;
    }
    static void findsSchedule() {
        const bool isUsual =
            tally.now == Tally::Now::Waits && !tally.hasFound && tally.next->usual->schedules > 0;
        if (!isUsual) return findsOther();
        tally.hasFound = true;
    }
    static void sends(int process, std::size_t bytes) {
        if (tally.now != Tally::Now::Counts) sendsAnew(process, bytes);
    }
    /// From here on all is told; and all that was not.
    static void all() {
        if (tally.now != Tally::Now::Tells) tellAll();
    }

private:
    static void endsTold();
    static void communicatesAnew(const Communication& communication);
    static void findsOther();
    static void sendsAnew(int process, std::size_t bytes);
    static void repeatsAnew(const Communication& communication);
    static void tellAll();
};

/// Makes the observers that the environment asks for: HPSPMD_WITNESS, HPSPMD_PROFILE, HPSPMD_TRACE,
/// HPSPMD_TOOLS.
void startObserving(int process);

}  // namespace hpspmd::detail
