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
    /// A schedule was found in the cache, and the process takes part in a communication that lives
    /// as long as itself.
    virtual void repeats(const Communication& communication) {
        findsSchedule();
        communicates(communication);
    }
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

/// Null: nobody looks.
inline Observer* observer = nullptr;

/// Makes the observers that the environment asks for: HPSPMD_WITNESS, HPSPMD_PROFILE, HPSPMD_TRACE,
/// HPSPMD_TOOLS.
void startObserving(int process);

}  // namespace hpspmd::detail
