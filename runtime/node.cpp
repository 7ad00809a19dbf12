#include "node.hpp"

#include "arena.hpp"

#include <hpspmd/mpi.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

// State ('R', 'Z', ..) and start time, the fields 3 and 22 of /proc/<id>/stat. The name before them
// may hold anything.
std::pair<char, std::uint64_t> stateOf(long id) {
    std::ifstream file("/proc/" + std::to_string(id) + "/stat");
    std::string line;
    std::getline(file, line);
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

Invitation ownInvitation(MPI_Comm comm) {
    Invitation own;
    checkMpi(MPI_Comm_rank(comm, &own.process), "MPI_Comm_rank");
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
    if (memory != nullptr) ::madvise(memory, size, MADV_DONTDUMP);
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
    return state != 'X' && state != 'Z' && started == startTime;
}

void exploreNode(MPI_Comm comm, MPI_Comm node) {
    int size = 0;
    checkMpi(MPI_Comm_size(node, &size), "MPI_Comm_size");
    checkMpi(MPI_Comm_rank(node, &place), "MPI_Comm_rank");
    if (size == 1) return;
    std::vector<Invitation> invitations(static_cast<std::size_t>(size));
    const Invitation own = ownInvitation(comm);
    checkMpi(
        MPI_Allgather(&own, sizeof own, MPI_BYTE, invitations.data(), sizeof own, MPI_BYTE, node),
        "MPI_Allgather");
    int all[] = {1, 1};  // memory, pages
    for (const Invitation& invitation : invitations) {
        const bool isOwn = invitation.process == own.process;
        std::byte* const memory = isOwn ? nodeArena().reservation().base() : memoryOf(invitation);
        std::byte* const pages =
            isOwn ? privateArena().reservation().base()
                  : mapFileOf(invitation, invitation.pagesFile, invitation.pagesSize);
        all[0] &= memory != nullptr && invitation.file >= 0;
        all[1] &= pages != nullptr && invitation.pagesFile >= 0;
        mapped().push_back({invitation.process, invitation.id, invitation.startTime, memory, pages,
                            reinterpret_cast<Board*>(memory + invitation.board)});
    }
    checkMpi(MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
    if (!all[0]) mapped().clear();  // what was mapped stays so: it costs address space only
    pagesAreMapped = all[0] && all[1];
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
