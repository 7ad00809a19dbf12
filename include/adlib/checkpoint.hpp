// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Checkpoint, the state of a program in a file, from which it goes on after it was ended.

#include <adlib/variable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

namespace hpspmd {
namespace detail {

/// Part of a program's state, by reference.
struct StateVariable {
    std::string name;
    std::function<FileOperand(Where)> array;  ///< of an array; else the others
    std::function<FileValue()> value;
    std::function<bool(const FileValue&)> takes;
    std::function<void(const FileValue&)> take;
};

template <class T>
StateVariable stateVariable(std::string name, T& variable) {
    StateVariable result;
    result.name = std::move(name);
    if constexpr (isArray<T>) {
        result.array = [&variable](Where where) { return anyOperand(variable, where); };
    } else {
        result.value = [&variable] { return fileValue(variable); };
        result.takes = [&variable](const FileValue& value) { return isValueOf(variable, value); };
        result.take = [&variable](const FileValue& value) { assign(variable, value); };
    }
    return result;
}

/// When a checkpoint is written: at every n-th call, or after so many seconds.
struct Every {
    Index calls = 0;
    double seconds = 0;
};

}  // namespace detail

namespace Adlib {

/// The state of a program in a file:
///
///     Adlib::Checkpoint state("flow.npz");
///     state("u", u)("v", v)("step", step);
///     if (state.restore()) Adlib::gprintln("going on at step ", step);
///     for (; step < steps; ++step) {
///         state.every(100);          // first in the body: the step that it saves has not been run
///         sweep(u, v);
///     }
///
/// Arrays of any distribution, numbers, strings, vectors, and objects that may be copied by memcpy,
/// all by reference; those that are no arrays should be equal in all processes. The number of
/// processes and the distributions may be others when the program goes on. The file is one of
/// several arrays (`numpy.load` reads .npz), with checksums; the one before it is kept as
/// "flow.npz.1". All functions but the naming are collective over the APG.
class Checkpoint {
public:
    explicit Checkpoint(std::string file, detail::Where where = detail::Where::here());
    Checkpoint(Checkpoint&&) noexcept;
    Checkpoint& operator=(Checkpoint&&) noexcept;
    ~Checkpoint();

    /// The variable belongs to the state. A handle may be assigned later: what counts is what it
    /// is when the checkpoint is written.
    template <class T>
    Checkpoint& operator()(std::string name, T& variable) {
        static_assert(!std::is_const_v<T>, "what is restored must be variable");
        add(detail::stateVariable(std::move(name), variable));
        return *this;
    }

    /// Sets the variables as the newest whole checkpoint has them; ghost cells become stale. False,
    /// and nothing is changed, if there is none. A damaged one is a warning, and the one before is
    /// taken. CheckpointError if there are only damaged ones, or what the file has does not fit the
    /// variables.
    bool restore(detail::Where where = detail::Where::here());
    /// Writes the state. What fails raises IoError, and the last checkpoint stays as it was.
    void now(detail::Where where = detail::Where::here());
    /// At every n-th call after the first one, now(). True if it has written. The environment
    /// variable HPSPMD_CHECKPOINT_EVERY ("200", "90s", "10m", "2h") says another n or time.
    /// After SIGTERM or SIGUSR1 to one of the processes it writes the state within about a second
    /// and ends the program with exit code 143.
    bool every(Index calls, detail::Where where = detail::Where::here());
    /// The same after so much time, by the clock of the first process.
    bool every(std::chrono::duration<double> time, detail::Where where = detail::Where::here());

private:
    void add(detail::StateVariable variable);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace Adlib

namespace detail {

/// The name of a file, and where the program says it: of a function whose arguments have no end
/// that could be a place.
struct NamedFile {
    std::string name;
    Where where;

    template <class Name,
              std::enable_if_t<std::is_convertible_v<const Name&, std::string>, int> = 0>
    NamedFile(const Name& name, Where where = Where::here()) : name(name), where(where) {}
};

/// The checkpoint of a file, made when it is asked for first.
struct NamedCheckpoint {
    Adlib::Checkpoint checkpoint;
    bool isNew = true;
};
NamedCheckpoint& namedCheckpoint(const std::string& file, Where where);

inline void addAll(Adlib::Checkpoint&) {}
template <class T, class... Rest>
void addAll(Adlib::Checkpoint& checkpoint, const char* name, T& variable, Rest&... rest) {
    checkpoint(name, variable);
    addAll(checkpoint, rest...);
}

}  // namespace detail

namespace Adlib {

/// A Checkpoint in one call, first in the body of a loop: restores when it is called first, then
/// writes at every n-th call. True if it has restored.
/// Example: `Adlib::checkpoint("flow.npz", 100, "u", u, "step", step);`
template <class... Variables>
bool checkpoint(const detail::NamedFile& file, Index calls, Variables&&... variables) {
    detail::NamedCheckpoint& named = detail::namedCheckpoint(file.name, file.where);
    detail::addAll(named.checkpoint, variables...);
    const bool isRestored = named.isNew && named.checkpoint.restore(file.where);
    named.isNew = false;
    if (!isRestored) named.checkpoint.every(calls, file.where);
    return isRestored;
}

}  // namespace Adlib
}  // namespace hpspmd
