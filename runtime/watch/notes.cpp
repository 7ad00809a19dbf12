// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "watch/notes.hpp"

#include "compose.hpp"
#include "node.hpp"
#include "transport/transport.hpp"
#include "watch/verdict.hpp"

#include <hpspmd/environment.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace hpspmd::detail {
namespace {

/// Process `process` waits in a collective.
struct Note {
    int process = 0;
    int line = 0;
    std::uint64_t group = 0, number = 0, tag = 0;
    char name[Board::textLength] = {};
    char file[Board::textLength] = {};
};

constexpr int noteTag = 2;

/// The last note to a process; stays where it is until that has received it.
struct Outgoing {
    Note note;
    Request request;

    bool isReceived() { return jobTransport().test(request, nullptr, {}); }
};

/// By process. There is at most one note under way between two processes, so that those that nobody
/// looks at do not become more and more.
struct Notes {
    std::map<int, Outgoing> sent;
    std::map<int, Note> received;  // not yet settled; a process waits in one collective at a time
};

Notes& notes() {
    static Notes& instance = *new Notes;
    return instance;
}

void write(char (&to)[Board::textLength], const char* text) {
    const std::size_t length = std::strlen(text);
    const std::size_t kept = std::min(length, Board::textLength - 1);
    std::memcpy(to, text + length - kept, kept);
}

/// Nothing if that process has been told, or has not received the last note: the next look tries
/// again.
void send(const Note& note, int process) {
    Outgoing& out = notes().sent[process];
    if (out.note.group == note.group && out.note.number == note.number) return;
    if (!out.isReceived()) return;
    out.note = note;
    out.request =
        jobTransport().send(Subject::Notes, &out.note, sizeof note, process, noteTag, true, {});
}

void receiveAll() {
    for (;;) {
        Note note;
        const int sender = jobTransport().take(Subject::Notes, &note, sizeof note, noteTag);
        if (sender < 0) return;
        notes().received[sender] = note;
    }
}

bool areAllReceived() {
    bool all = true;
    for (auto& [process, out] : notes().sent) all &= out.isReceived();
    return all;
}

// Until all notes of all processes have been received.
void completeNotes() {
    Request barrier;
    bool isEntered = false;
    for (;; ::usleep(50)) {
        receiveAll();
        if (!isEntered && areAllReceived()) {
            barrier = jobTransport().barrier(Subject::Notes);
            isEntered = true;
        }
        if (isEntered && jobTransport().test(barrier, nullptr, {})) return;
    }
}

}  // namespace

void startNotes() { jobTransport().atFinish(completeNotes); }

void sendNotes(const Entered& waiting) {
    const GroupRecord& group = *waiting.group;
    Note note{ownRank(), waiting.where.line, group.fingerprint, waiting.number, waiting.tag};
    write(note.name, waiting.name);
    write(note.file, waiting.where.file);
    for (int distance = 1; distance < group.size; distance *= 2)
        for (const int sign : {1, -1}) {
            const int rank = (group.rank + sign * distance + group.size) % group.size;
            const int process = member(Group(&group), rank);
            if (process != ownRank() && neighbour(process) == nullptr) send(note, process);
            if (2 * distance == group.size) break;  // both are the same process
        }
}

std::string judgeNotes(bool hasEnded) {
    receiveAll();
    std::string verdict;
    const auto isSettled = [&](const auto& entry) {
        const Note& note = entry.second;
        const Sighting own = sight(ownBoard(), note.group, note.number);
        const Party other{note.process, note.name, note.file, note.line};
        if (own.remembered && own.tag != note.tag)
            verdict = mismatchText({ownRank(), own.name, own.file, own.line}, other);
        else if (own.known && own.entered < note.number && hasEnded)
            verdict = endedText(other, ownRank());
        return own.entered >= note.number;
    };
    std::erase_if(notes().received, isSettled);
    return verdict;
}

}  // namespace hpspmd::detail
