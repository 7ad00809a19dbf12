// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node.hpp"

#include "arena.hpp"
#include "transport/transport.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>

namespace hpspmd::detail {
namespace {

// What the processes of a node tell each other about their memory.
struct Invitation {
    int process = 0;
    int file = -1;  // descriptor, as the process itself knows it
    int pagesFile = -1;
    long id = 0;
    std::uint64_t startTime = 0;
    std::uint64_t size = 0, pagesSize = 0, board = 0, secret = 0;
};

std::vector<Neighbour>& mapped() {
    static auto& instance = *new std::vector<Neighbour>;
    return instance;
}
int place = -1;
bool pagesAreMapped = false;

// All of /proc/<id>/stat; `error`: why it cannot be had.
std::string statusOf(long id, int& error) {
    const int file = ::open(("/proc/" + std::to_string(id) + "/stat").c_str(), O_RDONLY);
    char text[1024];
    const ssize_t length = file < 0 ? -1 : ::read(file, text, sizeof text);
    error = length < 0 ? errno : 0;
    if (file >= 0) ::close(file);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

// State ('R', 'Z', ..) and start time, the fields 3 and 22. The name before them may hold anything.
// 'X': there is no such process; '?': the system does not tell, as this process has too many files
// open, say.
std::pair<char, std::uint64_t> stateOf(long id) {
    int error = 0;
    const std::string line = statusOf(id, error);
    if (error != 0) return {error == ENOENT || error == ESRCH ? 'X' : '?', 0};
    std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 1)));
    char state = 'X';
    std::uint64_t number = 0;
    fields >> state;
    for (int field = 4; field <= 22; ++field) fields >> number;
    return {state, fields ? number : 0};
}

bool isSwitchedOff() {
    const char* value = std::getenv("HPSPMD_NODE_MEMORY");
    return value != nullptr && std::strcmp(value, "off") == 0;
}

Invitation ownInvitation() {
    Invitation own;
    own.process = jobTransport().rank();
    own.id = ::getpid();
    own.startTime = startTimeOf(own.id);
    const Reservation& memory = nodeArena().reservation();
    auto* const board = reinterpret_cast<std::byte*>(&ownBoard());
    if (isSwitchedOff() || !memory.contains(board)) return own;
    std::random_device random;
    own.secret = (std::uint64_t{random()} << 32 | random()) + 1;
    ownBoard().secret.store(own.secret);
    own.file = memory.file();
    own.size = memory.size();
    own.pagesFile = privateArena().visiblePages()->file();
    own.pagesSize = privateArena().reservation().size();
    own.board = static_cast<std::uint64_t>(board - memory.base());
    return own;
}

// A file of another process; null if it cannot be had. It is opened by its place in /proc, which
// any process of the same user may do.
std::byte* mapFileOf(const Invitation& invitation, int number, std::uint64_t size) {
    if (number < 0) return nullptr;
    const std::string path =
        "/proc/" + std::to_string(invitation.id) + "/fd/" + std::to_string(number);
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return nullptr;
    std::byte* memory = nullptr;
    if (static_cast<std::uint64_t>(::lseek(file, 0, SEEK_END)) == size)
        memory = mapShared(file, size);
    ::close(file);
    if (memory == nullptr) return nullptr;
    ::madvise(memory, size, MADV_DONTDUMP);
    ::madvise(memory, size, MADV_DONTFORK);  // a child must not write there
    return memory;
}

// The memory behind an invitation. The secret tells whether it is the right one (in another
// container the same number is another process).
std::byte* memoryOf(const Invitation& invitation) {
    std::byte* const memory = mapFileOf(invitation, invitation.file, invitation.size);
    if (memory == nullptr) return nullptr;
    const auto* const board = reinterpret_cast<const Board*>(memory + invitation.board);
    if (board->secret.load() == invitation.secret) return memory;
    ::munmap(memory, invitation.size);
    return nullptr;
}

}  // namespace

std::uint64_t startTimeOf(long id) { return stateOf(id).second; }

bool Neighbour::isAlive() const {
    const auto [state, started] = stateOf(id);
    if (state == '?') return ::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH;
    return state != 'X' && state != 'Z' && (startTime == 0 || started == startTime);
}

void exploreNode() {
    const int size = jobTransport().nodeSize();
    place = jobTransport().nodeRank();
    if (size == 1) return;
    std::vector<Invitation> invitations(static_cast<std::size_t>(size));
    const Invitation own = ownInvitation();
    jobTransport().gatherOnNode(&own, sizeof own, invitations.data());
    bool hasMemory = true, hasPages = true;
    for (const Invitation& invitation : invitations) {
        const bool isOwn = invitation.process == own.process;
        std::byte* const memory = isOwn ? nodeArena().reservation().base() : memoryOf(invitation);
        std::byte* const pages =
            isOwn ? privateArena().reservation().base()
                  : mapFileOf(invitation, invitation.pagesFile, invitation.pagesSize);
        hasMemory &= memory != nullptr && invitation.file >= 0;
        hasPages &= pages != nullptr && invitation.pagesFile >= 0;
        mapped().push_back({invitation.process, invitation.id, invitation.startTime, memory, pages,
                            reinterpret_cast<Board*>(memory + invitation.board)});
    }
    hasMemory = everywhereOnNode(hasMemory);
    hasPages = everywhereOnNode(hasPages);
    if (!hasMemory) mapped().clear();  // what was mapped stays so: it costs address space only
    pagesAreMapped = hasMemory && hasPages;
}

const std::vector<Neighbour>& neighbours() { return mapped(); }

int ownPlace() { return place; }
bool visiblePagesAreMapped() { return pagesAreMapped; }

const Neighbour* neighbour(int process) {
    const auto found =
        std::lower_bound(mapped().begin(), mapped().end(), process,
                         [](const Neighbour& entry, int wanted) { return entry.process < wanted; });
    return found == mapped().end() || found->process != process ? nullptr : &*found;
}

}  // namespace hpspmd::detail
