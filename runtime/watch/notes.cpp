#include "watch/notes.hpp"

#include "comms.hpp"
#include "compose.hpp"
#include "node.hpp"
#include "watch/verdict.hpp"

#include <hpspmd/environment.hpp>
#include <hpspmd/mpi.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

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

struct Notes {
    MPI_Comm comm = MPI_COMM_NULL;
    std::deque<Note> sent;  // stay where they are until MPI has read them
    std::vector<MPI_Request> requests;
    std::vector<Note> received;  // not yet settled
    std::uint64_t lastGroup = 0, lastNumber = 0;
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

void send(const Note& note, int process) {
    notes().sent.push_back(note);
    MPI_Request& request = notes().requests.emplace_back(MPI_REQUEST_NULL);
    checkMpi(MPI_Isend(&notes().sent.back(), sizeof note, MPI_BYTE, process, noteTag, notes().comm,
                       &request),
             "MPI_Isend");
}

void receiveAll() {
    while (notes().comm != MPI_COMM_NULL) {
        int come = 0;
        MPI_Status status;
        const int code = MPI_Iprobe(MPI_ANY_SOURCE, noteTag, notes().comm, &come, &status);
        checkPoll(code, come, "MPI_Iprobe");
        if (!come) return;
        Note& note = notes().received.emplace_back();
        checkMpi(MPI_Recv(&note, sizeof note, MPI_BYTE, status.MPI_SOURCE, noteTag, notes().comm,
                          MPI_STATUS_IGNORE),
                 "MPI_Recv");
    }
}

}  // namespace

void startNotes(MPI_Comm comm) {
    checkMpi(MPI_Comm_dup(comm, &notes().comm), "MPI_Comm_dup");
    freeAtFinalize(notes().comm);
    checkMpi(MPI_Comm_set_errhandler(notes().comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

void sendNotes(const Entered& waiting) {
    const GroupRecord& group = *waiting.group;
    if (notes().lastGroup == group.fingerprint && notes().lastNumber == waiting.number) return;
    notes().lastGroup = group.fingerprint;
    notes().lastNumber = waiting.number;
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
    const auto isSettled = [&](const Note& note) {
        const Sighting own = sight(ownBoard(), note.group, note.number);
        const Party other{note.process, note.name, note.file, note.line};
        if (own.remembered && own.tag != note.tag)
            verdict = mismatchText({ownRank(), own.name, own.file, own.line}, other);
        else if (own.known && own.entered < note.number && hasEnded)
            verdict = endedText(other, ownRank());
        return own.entered >= note.number;
    };
    auto& open = notes().received;
    open.erase(std::remove_if(open.begin(), open.end(), isSettled), open.end());
    return verdict;
}

void stopNotes() {
    receiveAll();
    for (MPI_Request& request : notes().requests) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done) MPI_Request_free(&request);
    }
}

}  // namespace hpspmd::detail
