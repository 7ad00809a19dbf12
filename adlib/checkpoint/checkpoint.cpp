// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/checkpoint.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <hpspmd/active.hpp>
#include <hpspmd/error.hpp>
#include <iostream>
#include <map>
#include <stdexcept>

#include "checkpoint/timing.hpp"
#include "checks/checks.hpp"
#include "compose.hpp"
#include "files/arrays.hpp"
#include "files/passing.hpp"
#include "files/request.hpp"
#include "stop_request.hpp"
#include "transport/combine.hpp"

namespace hpspmd {

using namespace detail;
using namespace detail::files;

namespace {

constexpr int stoppedCode = 143;  // as if SIGTERM had ended the process
constexpr Index format = 1;
const std::string formatName = "hpspmd.format", numberName = "hpspmd.number";

Inside containerOf(const std::string& file, Where where) {
    const std::optional<Inside> inside = insideOf(file);
    if (inside && inside->file == file) return *inside;
    throw IoError("checkpoint: the end of the name '" + file +
                      "' tells no format of several arrays; .npz is one",
                  where);
}

std::string olderOf(const std::string& file) { return file + ".1"; }

std::optional<Every> wishOf(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == 0) return std::nullopt;
    const std::optional<Every> every = everyFrom(text);
    if (!every)
        throw CheckpointError(compose(variable, "=", text, " is none of 200, 90s, 10m, 2h"), {});
    return every;
}

/// As the first process of the APG sees it.
bool existsForAll(const Entered& entered, const std::string& path) {
    bool found = isFirst() && exists(path);
    transport::broadcast(entered, apg(), 0, &found, sizeof found);
    return found;
}

/// What a checkpoint holds is not what the program wants.
struct Misfit : std::runtime_error {
    using runtime_error::runtime_error;
};

/// By the first process of the APG.
void say(const std::string& text, Where where) {
    if (!isFirst()) return;
    const std::string place = where.line > 0 ? compose(where.file, ":", where.line, ": ") : "";
    std::cerr << place + text + "\n" << std::flush;
}

}  // namespace

struct Adlib::Checkpoint::State {
    Inside place;
    std::vector<StateVariable> variables;
    Timing timing;
    Index number = 0;  ///< checkpoints that were written, in all runs
    bool isClean = false;

    /// Removes what a killed job has left.
    void clean(const Entered& entered);
    void save(Where where);
    /// At a call of every: saves, ends the program, or neither.
    bool visit(const Every& asked, Where where);
    void requireFitting(const Entered& entered, OldArrays& file, Where where) const;
    void readFrom(const Entered& entered, const std::string& file, Where where);
};

void Adlib::Checkpoint::State::clean(const Entered& entered) {
    if (std::exchange(isClean, true)) return;
    Outcome outcome(entered);
    if (isFirst()) outcome.attempt([&] { removeUnfinished(place.file); });
    outcome.require();
}

void Adlib::Checkpoint::State::save(Where where) {
    const Call call{"checkpoint", where};
    for (const StateVariable& each : variables)
        if (each.array) requireContained(call, each.array(where).array);
    onFile(call, place.file, "write", [&] {
        const Entered entry = entered(call, place.file, nullptr);
        clean(entry);
        NewArrays output(*place.container, place.file, Durable::Yes);
        output.open(entry);
        output.write(entry, formatName, fileValue(format));
        output.write(entry, numberName, fileValue(number + 1));
        for (const StateVariable& each : variables) {
            if (each.array)
                output.write(entry, each.name, each.array(where));
            else
                output.write(entry, each.name, each.value());
        }
        output.commit(entry, olderOf(place.file));
        ++number;
    });
}

bool Adlib::Checkpoint::State::visit(const Every& asked, Where where) {
    static const std::optional<Every> wish = wishOf("HPSPMD_CHECKPOINT_EVERY");
    const Every& every = wish ? *wish : asked;
    if (timing.passes(every)) return false;
    const Timing::Verdict verdict = timing.next(every, where);
    if (!verdict.isDue && verdict.signal == 0) return false;
    save(where);
    if (verdict.signal != 0) {
        say(compose("checkpoint '", place.file, "' written after ",
                    verdict.signal == SIGTERM ? "SIGTERM" : "SIGUSR1",
                    "; the program ends, to be started again"),
            where);
        std::exit(stoppedCode);
    }
    return true;
}

void Adlib::Checkpoint::State::requireFitting(const Entered& entered, OldArrays& file,
                                              Where where) const {
    for (const StateVariable& each : variables) {
        if (!each.array) continue;
        const FileArray found = file.find(entered, each.name).array;
        try {
            files::requireFitting(found, arrayOf(each.array(where)));
        } catch (const Failure& failure) {
            throw Misfit("'" + place.file + "' does not fit '" + each.name +
                         "': " + failure.what());
        }
    }
}

void Adlib::Checkpoint::State::readFrom(const Entered& entered, const std::string& path,
                                        Where where) {
    OldArrays file(entered, *place.container, path);
    for (const StateVariable& each : variables) {
        if (file.has(entered, each.name)) continue;
        throw Misfit("'" + path + "' has no '" + each.name + "'");
    }
    requireFitting(entered, file, where);
    std::vector<FileValue> values;
    for (const StateVariable& each : variables) {
        if (each.array) {
            file.read(entered, each.name, each.array(where));
            continue;
        }
        values.push_back(file.read(entered, each.name));
        if (!each.takes(values.back()))
            throw Misfit("what '" + path + "' has as '" + each.name +
                         "' is no value of that variable");
    }
    const FileValue written = file.read(entered, numberName);
    if (isValueOf(number, written)) assign(number, written);
    std::size_t next = 0;
    for (const StateVariable& each : variables)
        if (!each.array) each.take(values[next++]);
}

Adlib::Checkpoint::Checkpoint(std::string file, Where where)
    : state_(std::make_unique<State>(State{containerOf(file, where), {}, {}})) {
    noteStopRequests();
}

Adlib::Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;
Adlib::Checkpoint& Adlib::Checkpoint::operator=(Checkpoint&&) noexcept = default;
Adlib::Checkpoint::~Checkpoint() = default;

void Adlib::Checkpoint::add(StateVariable variable) {
    const auto same = std::ranges::find(state_->variables, variable.name, &StateVariable::name);
    if (same == state_->variables.end())
        state_->variables.push_back(std::move(variable));
    else
        *same = std::move(variable);
}

bool Adlib::Checkpoint::restore(Where where) {
    const Call call{"restore", where};
    for (const StateVariable& each : state_->variables)
        if (each.array) requireContained(call, each.array(where).array);
    const std::string& newest = state_->place.file;
    const std::string paths[] = {newest, olderOf(newest)};
    const Entered entry = entered(call, newest, nullptr);
    onFile(call, newest, "read", [&] { state_->clean(entry); });
    std::string problem, misfit;
    for (const std::string& path : paths) {
        if (!existsForAll(entry, path)) continue;
        try {
            state_->readFrom(entry, path, where);
            if (!misfit.empty()) say("warning: " + misfit + "; it is not used", where);
            return true;
        } catch (const Failure& failure) {
            problem = "'" + path + "': " + failure.what();
            say("warning: checkpoint " + problem + "; it is not used", where);
        } catch (const Misfit& error) {
            // Damage to names, or a program that has changed: then the one before does not fit.
            if (misfit.empty()) misfit = error.what();
        }
    }
    if (!misfit.empty()) throw CheckpointError(misfit, where);
    if (problem.empty()) return false;
    throw CheckpointError("no checkpoint is whole, the last one is " + problem, where);
}

void Adlib::Checkpoint::now(Where where) { state_->save(where); }

bool Adlib::Checkpoint::every(Index calls, Where where) { return state_->visit({calls, 0}, where); }

bool Adlib::Checkpoint::every(std::chrono::duration<double> time, Where where) {
    return state_->visit({0, time.count()}, where);
}

namespace detail {

NamedCheckpoint& namedCheckpoint(const std::string& file, Where where) {
    static auto& known = *new std::map<std::string, NamedCheckpoint>;
    const auto found = known.find(file);
    if (found != known.end()) return found->second;
    return known.emplace(file, NamedCheckpoint{Adlib::Checkpoint(file, where)}).first->second;
}

}  // namespace detail
}  // namespace hpspmd
